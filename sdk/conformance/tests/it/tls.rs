//! TLS: a CA of one's own is trusted, others are not, and `insecure` trusts anybody.
