//! What is asked: the six calls of the table, and the bytes of each as Cloud Foundry sends them.

use super::catalog::{PLAN, SERVICE};
use std::fmt::Write as _;

/// A call, in the order in which an instance lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verb {
    Catalog,
    Provision,
    Bind,
    LastOperation,
    Unbind,
    Deprovision,
}

pub(super) const ALL: [Verb; 6] = [
    Verb::Catalog,
    Verb::Provision,
    Verb::Bind,
    Verb::LastOperation,
    Verb::Unbind,
    Verb::Deprovision,
];

const ORGANIZATION: &str = "8b7cbd3c-35c4-4f0a-9f0b-000000000001";
const SPACE: &str = "8b7cbd3c-35c4-4f0a-9f0b-000000000002";
const APP: &str = "8b7cbd3c-35c4-4f0a-9f0b-000000000003";

impl Verb {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Catalog => "catalog",
            Self::Provision => "provision",
            Self::Bind => "bind",
            Self::LastOperation => "last_operation",
            Self::Unbind => "unbind",
            Self::Deprovision => "deprovision",
        }
    }

    /// The only status that counts as an answer.
    pub(super) fn expected(self) -> u16 {
        match self {
            Self::Provision | Self::Bind => 201,
            Self::Catalog | Self::LastOperation | Self::Unbind | Self::Deprovision => 200,
        }
    }

    fn method(self) -> &'static str {
        match self {
            Self::Catalog | Self::LastOperation => "GET",
            Self::Provision | Self::Bind => "PUT",
            Self::Unbind | Self::Deprovision => "DELETE",
        }
    }

    /// Writes the whole request. `prefix` is what stands before `/v2`, `number` is never used twice.
    pub(super) fn write(
        self,
        out: &mut String,
        prefix: &str,
        authorization: &str,
        instance: &str,
        binding: &str,
        number: u128,
    ) {
        out.clear();
        let ids = format_args!("service_id={SERVICE}&plan_id={PLAN}");
        // Writing to a string cannot fail.
        let _ = match self {
            Self::Catalog => write!(out, "GET {prefix}/v2/catalog"),
            Self::Provision => write!(
                out,
                "PUT {prefix}/v2/service_instances/{instance}?accepts_incomplete=true"
            ),
            Self::LastOperation => write!(
                out,
                "GET {prefix}/v2/service_instances/{instance}/last_operation?{ids}"
            ),
            Self::Deprovision => write!(
                out,
                "DELETE {prefix}/v2/service_instances/{instance}?accepts_incomplete=true&{ids}"
            ),
            Self::Bind => write!(
                out,
                "PUT {prefix}/v2/service_instances/{instance}/service_bindings/{binding}?accepts_incomplete=true"
            ),
            Self::Unbind => write!(
                out,
                "DELETE {prefix}/v2/service_instances/{instance}/service_bindings/{binding}?accepts_incomplete=true&{ids}"
            ),
        };
        let _ = write!(
            out,
            " HTTP/1.1\r\nhost: localhost\r\nauthorization: {authorization}\r\naccept: application/json\r\n\
             x-broker-api-version: 2.17\r\nx-broker-api-request-identity: {number:032x}\r\n\
             x-broker-api-originating-identity: cloudfoundry eyJ1c2VyX2lkIjoiNjgzZWE3NDgtMzA5Mi00ZmY0LWI2NTYtMzljYWNjNGQ1MzYwIn0=\r\n"
        );
        if self.method() != "PUT" {
            out.push_str("\r\n");
            return;
        }
        let body = if self == Self::Provision {
            provision(instance)
        } else {
            bind()
        };
        let _ = write!(
            out,
            "content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
    }
}

fn provision(instance: &str) -> String {
    format!(
        r#"{{"service_id":"{SERVICE}","plan_id":"{PLAN}","organization_guid":"{ORGANIZATION}","space_guid":"{SPACE}","context":{{"platform":"cloudfoundry","organization_guid":"{ORGANIZATION}","organization_name":"bench","space_guid":"{SPACE}","space_name":"load","instance_name":"db-{instance}"}},"parameters":{{"size":3,"region":"eu-1"}}}}"#
    )
}

fn bind() -> String {
    format!(
        r#"{{"service_id":"{SERVICE}","plan_id":"{PLAN}","app_guid":"{APP}","bind_resource":{{"app_guid":"{APP}","space_guid":"{SPACE}"}},"context":{{"platform":"cloudfoundry","organization_guid":"{ORGANIZATION}","space_guid":"{SPACE}"}}}}"#
    )
}
