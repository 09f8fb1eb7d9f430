//! A free port on 127.0.0.1, the former one if it is still free.

use std::net::{Ipv4Addr, TcpListener};

use anyhow::{Context, Result};

pub(super) fn free(wanted: u16) -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, wanted))
        .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
        .context("there is no free port on 127.0.0.1")?;
    Ok(listener.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use super::free;

    #[test]
    fn a_taken_port_is_replaced_by_a_free_one() {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let taken_port = taken.local_addr().unwrap().port();
        let port = free(taken_port).unwrap();
        assert!(port != taken_port && port != 0);
    }
}
