//! Networks that are never called. The operator names them; [`dial`](crate::dial) asks before it connects.
//!
//! Whoever may register a broker chooses an address that the manager calls, so that without this they could
//! read what only the machine itself may: the metadata service of its cloud. The rule: what counts is the
//! address that is really connected to, after its name was resolved, in whichever of its forms it comes.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A block of addresses: `169.254.0.0/16`, `fe80::/10`, or one address alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    bits: u8,
}

/// A text is no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a network is an address and the number of its fixed bits, such as 169.254.0.0/16 or fe80::/10"
)]
pub struct BadNetwork;

impl FromStr for Network {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Self, BadNetwork> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse::<u8>().map_err(|_| BadNetwork)?)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().map_err(|_| BadNetwork)?;
        let most = match address {
            IpAddr::V4(_) => 32,
            IpAddr::V6(_) => 128,
        };
        let bits = bits.unwrap_or(most);
        match bits <= most {
            true => Ok(Self { address, bits }),
            false => Err(BadNetwork),
        }
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.address, self.bits)
    }
}

impl Network {
    /// Whether an address is in it.
    pub fn holds(&self, address: IpAddr) -> bool {
        match (self.address, address) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let shift = 32 - u32::from(self.bits);
                own.to_bits().checked_shr(shift) == other.to_bits().checked_shr(shift)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let shift = 128 - u32::from(self.bits);
                own.to_bits().checked_shr(shift) == other.to_bits().checked_shr(shift)
            }
            _ => false,
        }
    }
}

/// Whether one of the networks holds an address, or the IPv4 address that it stands for.
pub(crate) fn denies(networks: &[Network], address: IpAddr) -> bool {
    let within = |address| networks.iter().any(|network| network.holds(address));
    let inner = match address {
        IpAddr::V4(_) => None,
        IpAddr::V6(address) => embedded(address),
    };
    within(address) || inner.is_some_and(|inner| within(IpAddr::V4(inner)))
}

/// The IPv4 address in an IPv6 one: `::ffff:a.b.c.d`, `::a.b.c.d`, and that of a NAT64 gateway,
/// `64:ff9b::a.b.c.d`.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [high @ .., a, b] = address.segments();
    let low = Ipv4Addr::from_bits((u32::from(a) << 16) | u32::from(b));
    match high {
        [0, 0, 0, 0, 0, 0 | 0xffff] | [0x64, 0xff9b, 0, 0, 0, 0] => Some(low),
        _ => None,
    }
}

/// Where the metadata services of clouds are, and what else never leaves a cable.
pub(crate) fn link_local() -> Vec<Network> {
    let v4 = |a, b, c, d, bits| Network {
        address: IpAddr::V4(Ipv4Addr::new(a, b, c, d)),
        bits,
    };
    let v6 = |segments: [u16; 8], bits| Network {
        address: IpAddr::V6(Ipv6Addr::from(segments)),
        bits,
    };
    vec![
        v4(169, 254, 0, 0, 16),
        v4(100, 100, 100, 200, 32),
        v6([0xfe80, 0, 0, 0, 0, 0, 0, 0], 10),
        v6([0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], 128),
        v6([0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254], 128),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        text.parse().unwrap()
    }

    #[test]
    fn reads_what_people_write() {
        for (text, shown) in [
            ("169.254.0.0/16", "169.254.0.0/16"),
            ("10.1.2.3", "10.1.2.3/32"),
            ("fe80::/10", "fe80::/10"),
            ("::1", "::1/128"),
            ("0.0.0.0/0", "0.0.0.0/0"),
        ] {
            assert_eq!(network(text).to_string(), shown);
        }
        for bad in [
            "",
            "/",
            "10.0.0.0/33",
            "::/129",
            "10.0.0/8",
            "a/8",
            "10.0.0.0/-1",
            "::1/",
        ] {
            assert_eq!(bad.parse::<Network>(), Err(BadNetwork), "{bad}");
        }
    }

    #[test]
    fn holds_what_shares_its_bits() {
        let rows = [
            ("169.254.0.0/16", "169.254.169.254", true),
            ("169.254.0.0/16", "169.255.0.0", false),
            ("10.0.0.0/9", "10.127.255.255", true),
            ("10.0.0.0/9", "10.128.0.0", false),
            ("0.0.0.0/0", "8.8.8.8", true),
            ("0.0.0.0/0", "::1", false),
            ("::/0", "fe80::1", true),
            ("fe80::/10", "febf::1", true),
            ("fe80::/10", "fec0::1", false),
            ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false),
        ];
        for (text, address, wanted) in rows {
            let address = address.parse().unwrap();
            assert_eq!(network(text).holds(address), wanted, "{text} {address}");
        }
    }

    #[test]
    fn no_form_of_an_address_gets_round_it() {
        let networks = link_local();
        let rows = [
            ("169.254.169.254", true),
            ("::ffff:169.254.169.254", true),
            ("::169.254.169.254", true),
            ("64:ff9b::a9fe:a9fe", true),
            ("fe80::1", true),
            ("fd00:ec2::254", true),
            ("100.100.100.200", true),
            ("127.0.0.1", false),
            ("::1", false),
            ("10.0.0.1", false),
            ("192.168.0.1", false),
            ("::ffff:10.0.0.1", false),
            ("fd00:ec2::255", false),
        ];
        for (address, wanted) in rows {
            assert_eq!(
                denies(&networks, address.parse().unwrap()),
                wanted,
                "{address}"
            );
        }
    }
}
