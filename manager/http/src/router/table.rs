//! A part of the route table. `router.rs` writes it down; the manager is served from it, and OpenAPI is made from it.
//!
//! The rule: serving needs paths and methods alone. Their descriptions are large, and to make them touches much of the
//! program; so they are made when somebody asks for the document, and never at the start.

use crate::App;
use axum::Router;
use axum::routing::MethodRouter;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

/// Doors, in no particular order.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Row>,
}

enum Row {
    Described(Routes),
    /// What no document tells of.
    Bare(&'static str, Box<MethodRouter<App>>),
}

/// The methods of one path, see [`routes!`].
pub(super) struct Routes {
    pub(super) serve: fn() -> (String, MethodRouter<App>),
    pub(super) describe: fn() -> UtoipaMethodRouter<App>,
}

impl Table {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Adds the methods of a path.
    pub(super) fn routes(mut self, routes: Routes) -> Self {
        self.rows.push(Row::Described(routes));
        self
    }

    /// Adds a path that no document tells of.
    pub(super) fn route(mut self, path: &'static str, methods: MethodRouter<App>) -> Self {
        self.rows.push(Row::Bare(path, Box::new(methods)));
        self
    }

    /// To be served.
    pub(super) fn serve(self) -> Router<App> {
        self.rows.into_iter().fold(Router::new(), |router, row| {
            let (path, methods) = match row {
                Row::Described(routes) => (routes.serve)(),
                Row::Bare(path, methods) => (path.to_owned(), *methods),
            };
            router.route(&path, methods)
        })
    }

    /// To be told of.
    pub(super) fn describe(self) -> OpenApiRouter<App> {
        let described = self.rows.into_iter().filter_map(|row| match row {
            Row::Described(routes) => Some((routes.describe)()),
            Row::Bare(..) => None,
        });
        described.fold(OpenApiRouter::new(), OpenApiRouter::routes)
    }
}

/// The handlers of one path. What they are, their own attributes say.
macro_rules! routes {
    ( $($first:ident)::+ $( , $($other:ident)::+ )* $(,)? ) => {
        $crate::router::table::Routes {
            serve: || {
                let at = utoipa_axum::routes!(@path [path()] of $($first)::+);
                let methods = axum::routing::MethodRouter::new();
                let methods = $crate::router::table::routes!(@on methods, $($first)::+);
                $( let methods = $crate::router::table::routes!(@on methods, $($other)::+); )*
                (at, methods)
            },
            describe: || utoipa_axum::routes!( $($first)::+ $( , $($other)::+ )* ),
        }
    };
    ( @on $methods:ident, $($part:ident)::+ ) => {
        utoipa_axum::routes!(@path [methods()] of $($part)::+)
            .iter()
            .fold($methods, |methods, method| {
                methods.on(utoipa_axum::PathItemExt::to_method_filter(method), $($part)::+)
            })
    };
}
pub(super) use routes;
