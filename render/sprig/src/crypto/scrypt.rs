//! scrypt (RFC 7914): a key from a password that costs memory to make.

use std::num::NonZeroU32;

use aws_lc_rs::pbkdf2::{self, PBKDF2_HMAC_SHA256};

/// How much work it is.
pub(super) struct Cost {
    /// A power of two.
    pub rounds: usize,
    /// Of 128 bytes.
    pub block_size: usize,
    pub lanes: usize,
}

type Words = [u32; 16];

/// Fills `out`.
pub(super) fn derive(password: &[u8], salt: &[u8], cost: &Cost, out: &mut [u8]) {
    let lane = cost.block_size * 128;
    let mut bytes = vec![0; lane * cost.lanes];
    stretch(password, salt, &mut bytes);
    let mut memory = vec![[0; 16]; cost.rounds * cost.block_size * 2];
    for lane in bytes.chunks_mut(lane) {
        mix(lane, cost, &mut memory);
    }
    stretch(password, &bytes, out);
}

fn stretch(password: &[u8], salt: &[u8], out: &mut [u8]) {
    pbkdf2::derive(PBKDF2_HMAC_SHA256, NonZeroU32::MIN, salt, password, out);
}

/// One lane: fills the memory, then walks through it in an order that depends on what is there.
fn mix(lane: &mut [u8], cost: &Cost, memory: &mut [Words]) {
    let width = cost.block_size * 2;
    let mut block: Vec<Words> = lane.chunks(64).map(words).collect();
    let mut next = block.clone();
    for stored in memory.chunks_mut(width) {
        stored.copy_from_slice(&block);
        shuffle(&block, &mut next);
        std::mem::swap(&mut block, &mut next);
    }
    for _ in 0..cost.rounds {
        let index = block[width - 1][0] as usize & (cost.rounds - 1);
        let stored = &memory[index * width..(index + 1) * width];
        for (words, stored) in block.iter_mut().zip(stored) {
            xor(words, stored);
        }
        shuffle(&block, &mut next);
        std::mem::swap(&mut block, &mut next);
    }
    for (part, words) in lane.chunks_mut(64).zip(&block) {
        for (bytes, word) in part.chunks_mut(4).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }
}

fn words(bytes: &[u8]) -> Words {
    let mut words = [0; 16];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<4>().0) {
        *word = u32::from_le_bytes(*bytes);
    }
    words
}

fn xor(words: &mut Words, with: &Words) {
    for (word, with) in words.iter_mut().zip(with) {
        *word ^= with;
    }
}

/// Each part goes through the cipher with the one before; even parts first, then odd ones.
fn shuffle(block: &[Words], out: &mut [Words]) {
    let half = block.len() / 2;
    let mut last = block[block.len() - 1];
    for (index, words) in block.iter().enumerate() {
        xor(&mut last, words);
        salsa(&mut last);
        out[index / 2 + if index % 2 == 0 { 0 } else { half }] = last;
    }
}

/// Salsa20 with eight rounds.
fn salsa(words: &mut Words) {
    let mut x = *words;
    for _ in 0..4 {
        for column in 0..4 {
            let at = |row: usize| (column * 5 + row * 4) % 16;
            quarter(&mut x, [at(0), at(1), at(2), at(3)]);
        }
        for row in 0..4 {
            let at = |column: usize| row * 4 + (row + column) % 4;
            quarter(&mut x, [at(0), at(1), at(2), at(3)]);
        }
    }
    for (word, x) in words.iter_mut().zip(x) {
        *word = word.wrapping_add(x);
    }
}

fn quarter(x: &mut Words, [a, b, c, d]: [usize; 4]) {
    x[b] ^= x[a].wrapping_add(x[d]).rotate_left(7);
    x[c] ^= x[b].wrapping_add(x[a]).rotate_left(9);
    x[d] ^= x[c].wrapping_add(x[b]).rotate_left(13);
    x[a] ^= x[d].wrapping_add(x[c]).rotate_left(18);
}
