//! Sealed secrets open in their place, with their key, unchanged; and in no other way.

use std::os::unix::fs::PermissionsExt as _;

use qm_db::seal::{KeyRing, SealError};

const PLACE: &[&str] = &["binding", "id-1", "credentials"];

#[test]
fn what_was_sealed_opens() {
    let ring = KeyRing::generate().unwrap();
    for plain in [b"".as_slice(), b"x", &[0; 600], &vec![7; 100_000]] {
        let sealed = ring.seal(PLACE, plain).unwrap();
        assert_eq!(ring.open(PLACE, &sealed).unwrap().as_slice(), plain);
        assert!(plain.len() < 16 || !sealed.windows(plain.len()).any(|part| part == plain));
    }
    assert_ne!(
        ring.seal(PLACE, b"x").unwrap(),
        ring.seal(PLACE, b"x").unwrap()
    );
}

#[test]
fn another_place_does_not_open() {
    let ring = KeyRing::generate().unwrap();
    let sealed = ring.seal(PLACE, b"secret").unwrap();
    let others: [&[&str]; 5] = [
        &["binding", "id-2", "credentials"],
        &["binding", "id-1credentials"],
        &["bindingid-1", "credentials"],
        &["binding", "id-1", "credentials", ""],
        &[],
    ];
    for other in others {
        assert!(
            matches!(ring.open(other, &sealed), Err(SealError::Damaged)),
            "{other:?}"
        );
    }
}

#[test]
fn a_single_changed_bit_does_not_open() {
    let ring = KeyRing::generate().unwrap();
    let sealed = ring.seal(PLACE, b"secret").unwrap();
    for byte in 0..sealed.len() {
        for bit in 0..8 {
            let mut changed = sealed.clone();
            changed[byte] ^= 1 << bit;
            assert!(ring.open(PLACE, &changed).is_err(), "byte {byte} bit {bit}");
        }
    }
    for length in 0..sealed.len() {
        assert!(ring.open(PLACE, &sealed[..length]).is_err());
    }
    let mut longer = sealed.clone();
    longer.push(0);
    assert!(ring.open(PLACE, &longer).is_err());
}

#[test]
fn another_key_does_not_open() {
    let (ring, other) = (KeyRing::generate().unwrap(), KeyRing::generate().unwrap());
    let sealed = ring.seal(PLACE, b"secret").unwrap();
    assert!(matches!(
        other.open(PLACE, &sealed),
        Err(SealError::UnknownKey { .. })
    ));
    // Another key under the same id.
    let text = ring.to_text();
    let id = text.split(':').next().unwrap();
    let other = KeyRing::parse(&format!(
        "{id}:{}",
        other.to_text().split_once(':').unwrap().1
    ))
    .unwrap();
    assert!(matches!(
        other.open(PLACE, &sealed),
        Err(SealError::Damaged)
    ));
}

#[test]
fn keys_rotate_online() {
    let old = KeyRing::generate().unwrap();
    let sealed = old.seal(PLACE, b"secret").unwrap();
    let both = old.rotated().unwrap();
    assert!(!both.is_current(&sealed) && old.is_current(&sealed));
    let plain = both.open(PLACE, &sealed).unwrap();
    let again = both.seal(PLACE, &plain).unwrap();
    assert!(both.is_current(&again));
    let text = both.to_text();
    let only_new = KeyRing::parse(text.lines().next().unwrap()).unwrap();
    assert_eq!(only_new.open(PLACE, &again).unwrap().as_slice(), b"secret");
    assert!(matches!(
        only_new.open(PLACE, &sealed),
        Err(SealError::UnknownKey { .. })
    ));
    assert!(matches!(
        old.open(PLACE, &again),
        Err(SealError::UnknownKey { .. })
    ));
}

#[test]
fn a_ring_as_text() {
    let ring = KeyRing::generate().unwrap().rotated().unwrap();
    let text = ring.to_text();
    let sealed = ring.seal(PLACE, b"x").unwrap();
    let commented = format!("# keys\n\n {} # newest\n", text.trim().replace('\n', " , "));
    assert_eq!(KeyRing::parse(&commented).unwrap().to_text(), text);
    assert_eq!(
        KeyRing::parse(&text)
            .unwrap()
            .open(PLACE, &sealed)
            .unwrap()
            .as_slice(),
        b"x"
    );
    let key = text.lines().next().unwrap().split_once(':').unwrap().1;
    let wrong = [
        String::new(),
        "# nothing".to_owned(),
        "no-colon".to_owned(),
        format!(":{key}"),
        format!("a b:{key}"),
        format!("ä:{key}"),
        format!("{}:{key}", "a".repeat(33)),
        "a:not base64!".to_owned(),
        "a:AAAA".to_owned(),
        format!("a:{key},a:{key}"),
    ];
    for wrong in wrong {
        let error = KeyRing::parse(&wrong).unwrap_err();
        assert!(matches!(error, SealError::Ring { .. }), "{wrong}");
        assert!(!format!("{error} {error:?}").contains(key));
    }
    let shown = format!("{ring:?}");
    assert!(!shown.contains(key) && shown.contains("***"));
}

#[test]
fn a_ring_in_a_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("keys");
    let missing = KeyRing::from_file(&path, false);
    assert!(matches!(
        missing,
        Err(SealError::File {
            kind: std::io::ErrorKind::NotFound,
            ..
        })
    ));
    let made = KeyRing::from_file(&path, true).unwrap();
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(
        KeyRing::from_file(&path, true).unwrap().to_text(),
        made.to_text()
    );
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    for mode in [0o640, 0o604, 0o644] {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        let exposed = KeyRing::from_file(&path, false);
        assert!(
            matches!(exposed, Err(SealError::Exposed { .. })),
            "{mode:o}"
        );
    }
}

#[test]
fn programs_that_start_at_once_get_the_same_ring() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("keys");
    for _ in 0..20 {
        let start = std::sync::Barrier::new(8);
        let rings: Vec<_> = std::thread::scope(|scope| {
            let open = || {
                start.wait();
                KeyRing::from_file(&path, true).unwrap().to_text()
            };
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        let stored = KeyRing::from_file(&path, false).unwrap().to_text();
        assert!(rings.iter().all(|ring| *ring == stored));
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
        std::fs::remove_file(&path).unwrap();
    }
}
