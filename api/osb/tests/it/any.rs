//! Any message, for the round trips. Free-form values are any JSON; unknown names start with `x_`.

use http::StatusCode;
use proptest::{collection::vec, option::of, prelude::*};
use quartermaster_osb::{
    Accepted, Answer, BindRequest, BindResource, Binding, BindingMetadata, Call, Catalog, Context,
    Endpoint, ErrorBody, Extra, Hints, Instance, InstanceMetadata, LastOperation, MaintenanceInfo,
    Object, Offering, Plan, Poll, PreviousValues, ProvisionRequest, ProvisionResponse,
    RotateRequest, Schemas, Secret, State, UpdateRequest, UpdateResponse, VolumeDevice,
    VolumeMount,
    catalog::{BindingSchemas, DashboardClient, InputSchema, InstanceSchemas},
};
use serde_json::Value;

fn text() -> impl Strategy<Value = String> {
    "(?s).{0,12}"
}

/// Any text that can be an id, characters that mean something in a URL first.
fn id<T: std::str::FromStr<Err: std::fmt::Debug> + std::fmt::Debug>() -> impl Strategy<Value = T> {
    prop_oneof!["[a-z0-9/%?#&=+. -]{1,16}", "\\PC{1,12}", "[.]{1,2}"]
        .prop_map(|text: String| text.parse().unwrap())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((text(), inner), 0..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Not `null`: in an optional place that reads as absent.
fn some_value() -> impl Strategy<Value = Value> {
    value().prop_filter("null is absent", |value| !value.is_null())
}

fn object() -> impl Strategy<Value = Object> {
    vec((text(), value()), 0..3).prop_map(|pairs| pairs.into_iter().collect())
}

fn extra() -> impl Strategy<Value = Extra> {
    vec(("x_[a-z]{0,4}", value()), 0..3)
        .prop_map(|pairs| Extra::from(pairs.into_iter().collect::<Object>()))
}

fn secret() -> impl Strategy<Value = Option<Secret<Object>>> {
    of(object().prop_map(Secret::new))
}

fn context() -> impl Strategy<Value = Option<Context>> {
    of(object().prop_map(Context))
}

fn flag() -> impl Strategy<Value = Option<bool>> {
    any::<Option<bool>>()
}

prop_compose! {
    fn maintenance()(version in text(), description in of(text()), extra in extra()) -> MaintenanceInfo {
        MaintenanceInfo { version, description, extra }
    }
}

prop_compose! {
    fn provision()(
        service_id in id(), plan_id in id(), organization_guid in "\\PC{1,8}", space_guid in "\\PC{1,8}",
        context in context(), parameters in secret(), maintenance_info in of(maintenance()), extra in extra(),
    ) -> Box<ProvisionRequest> {
        Box::new(ProvisionRequest {
            service_id, plan_id, organization_guid, space_guid, context, parameters, maintenance_info, extra,
        })
    }
}

prop_compose! {
    fn previous()(
        plan_id in of(id()), maintenance_info in of(maintenance()), service_id in of(id()),
        organization_id in of(text()), space_id in of(text()), extra in extra(),
    ) -> PreviousValues {
        PreviousValues { plan_id, maintenance_info, service_id, organization_id, space_id, extra }
    }
}

prop_compose! {
    fn update()(
        service_id in id(), plan_id in of(id()), context in context(), parameters in secret(),
        maintenance_info in of(maintenance()), previous_values in of(previous()), extra in extra(),
    ) -> Box<UpdateRequest> {
        Box::new(UpdateRequest {
            service_id, plan_id, context, parameters, maintenance_info, previous_values, extra,
        })
    }
}

prop_compose! {
    fn resource()(app_guid in of(text()), route in of(text()), extra in extra()) -> BindResource {
        BindResource { app_guid, route, extra }
    }
}

prop_compose! {
    fn bind()(
        service_id in id(), plan_id in id(), context in context(), app_guid in of(text()),
        bind_resource in of(resource()), parameters in secret(), extra in extra(),
    ) -> Box<BindRequest> {
        Box::new(BindRequest { service_id, plan_id, context, app_guid, bind_resource, parameters, extra })
    }
}

prop_compose! {
    fn rotate()(
        predecessor_binding_id in id(), service_id in of(id()), plan_id in of(id()), extra in extra(),
    ) -> Box<RotateRequest> {
        Box::new(RotateRequest { predecessor_binding_id, service_id, plan_id, extra })
    }
}

prop_compose! {
    fn hints()(service_id in of("(?s).{1,12}"), plan_id in of("(?s).{1,12}")) -> Hints {
        Hints { service_id, plan_id }
    }
}

prop_compose! {
    fn poll()(hints in hints(), operation in of("(?s).{1,40}")) -> Poll {
        Poll { hints, operation }
    }
}

/// Any call that a platform can send.
pub(crate) fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        of("\"[!#-~]{0,8}\"").prop_map(|if_none_match| Call::Catalog { if_none_match }),
        (id(), any::<bool>(), provision()).prop_map(|(instance, accepts_incomplete, body)| {
            Call::Provision {
                instance,
                accepts_incomplete,
                body,
            }
        }),
        (id(), hints()).prop_map(|(instance, hints)| Call::FetchInstance { instance, hints }),
        (id(), any::<bool>(), update()).prop_map(|(instance, accepts_incomplete, body)| {
            Call::Update {
                instance,
                accepts_incomplete,
                body,
            }
        }),
        (id(), any::<bool>(), hints()).prop_map(|(instance, accepts_incomplete, hints)| {
            Call::Deprovision {
                instance,
                accepts_incomplete,
                hints,
            }
        }),
        (id(), poll()).prop_map(|(instance, poll)| Call::PollInstance { instance, poll }),
        (id(), id(), any::<bool>(), bind()).prop_map(
            |(instance, binding, accepts_incomplete, body)| {
                Call::Bind {
                    instance,
                    binding,
                    accepts_incomplete,
                    body,
                }
            }
        ),
        (id(), id(), any::<bool>(), rotate()).prop_map(
            |(instance, binding, accepts_incomplete, body)| {
                Call::Rotate {
                    instance,
                    binding,
                    accepts_incomplete,
                    body,
                }
            }
        ),
        (id(), id(), hints()).prop_map(|(instance, binding, hints)| {
            Call::FetchBinding {
                instance,
                binding,
                hints,
            }
        }),
        (id(), id(), any::<bool>(), hints()).prop_map(
            |(instance, binding, accepts_incomplete, hints)| {
                Call::Unbind {
                    instance,
                    binding,
                    accepts_incomplete,
                    hints,
                }
            }
        ),
        (id(), id(), poll()).prop_map(|(instance, binding, poll)| {
            Call::PollBinding {
                instance,
                binding,
                poll,
            }
        }),
    ]
}

prop_compose! {
    fn instance_metadata()(
        labels in object(), attributes in object(), extra in extra(),
    ) -> InstanceMetadata {
        InstanceMetadata { labels, attributes, extra }
    }
}

prop_compose! {
    fn accepted()(
        operation in of(text()), dashboard_url in of(text()), metadata in of(instance_metadata()),
        extra in extra(),
    ) -> Accepted {
        Accepted { operation, dashboard_url, metadata, extra }
    }
}

prop_compose! {
    fn instance()(
        service_id in of(id()), plan_id in of(id()), dashboard_url in of(text()), parameters in secret(),
        maintenance_info in of(maintenance()), metadata in of(instance_metadata()), extra in extra(),
    ) -> Instance {
        Instance { service_id, plan_id, dashboard_url, parameters, maintenance_info, metadata, extra }
    }
}

prop_compose! {
    fn mount()(
        texts in [text(), text(), text(), text(), text()], mount_config in secret(), inner in extra(),
        extra in extra(),
    ) -> VolumeMount {
        let [driver, container_dir, mode, device_type, volume_id] = texts;
        let device = VolumeDevice { volume_id, mount_config, extra: inner };
        VolumeMount { driver, container_dir, mode, device_type, device, extra }
    }
}

prop_compose! {
    fn endpoint()(
        host in text(), ports in vec(text(), 0..3), protocol in of(text()), extra in extra(),
    ) -> Endpoint {
        Endpoint { host, ports, protocol, extra }
    }
}

prop_compose! {
    fn binding_metadata()(
        expires_at in of(text()), renew_before in of(text()), extra in extra(),
    ) -> BindingMetadata {
        BindingMetadata { expires_at, renew_before, extra }
    }
}

prop_compose! {
    fn binding()(
        metadata in of(binding_metadata()), credentials in of(some_value().prop_map(Secret::new)),
        syslog_drain_url in of(text()), route_service_url in of(text()),
        volume_mounts in of(vec(mount(), 0..3)), endpoints in of(vec(endpoint(), 0..3)),
        parameters in secret(), extra in extra(),
    ) -> Box<Binding> {
        Box::new(Binding {
            metadata, credentials, syslog_drain_url, route_service_url, volume_mounts, endpoints,
            parameters, extra,
        })
    }
}

prop_compose! {
    fn schema()(parameters in of(some_value()), extra in extra()) -> InputSchema {
        InputSchema { parameters, extra }
    }
}

prop_compose! {
    fn schemas()(
        create in of(schema()), update in of(schema()), bind in of(schema()),
        extras in [extra(), extra(), extra()],
    ) -> Schemas {
        let [one, two, extra] = extras;
        Schemas {
            service_instance: Some(InstanceSchemas { create, update, extra: one }),
            service_binding: Some(BindingSchemas { create: bind, extra: two }),
            extra,
        }
    }
}

prop_compose! {
    fn plan()(
        id in id(), name in text(), description in text(), metadata in of(object()), free in any::<bool>(),
        bindable in flag(), binding_rotatable in any::<bool>(), plan_updateable in flag(),
        schemas in of(schemas()), maximum_polling_duration in any::<Option<u64>>(),
        maintenance_info in of(maintenance()), extra in extra(),
    ) -> Plan {
        Plan {
            id, name, description, metadata, free, bindable, binding_rotatable, plan_updateable, schemas,
            maximum_polling_duration, maintenance_info, extra,
        }
    }
}

prop_compose! {
    fn dashboard_client()(
        id in text(), secret in text(), redirect_uri in of(text()), extra in extra(),
    ) -> DashboardClient {
        DashboardClient { id, secret: Secret::new(secret), redirect_uri, extra }
    }
}

prop_compose! {
    fn offering()(
        id in id(), name in text(), description in text(), flags in any::<[bool; 5]>(),
        plans in vec(plan(), 0..3), tags in vec(text(), 0..3), requires in vec(text(), 0..2),
        metadata in of(object()), dashboard_client in of(dashboard_client()), extra in extra(),
    ) -> Offering {
        let [bindable, instances_retrievable, bindings_retrievable, allow_context_updates, plan_updateable] =
            flags;
        Offering {
            name, id, description, bindable, plans, tags, requires, instances_retrievable,
            bindings_retrievable, allow_context_updates, metadata, dashboard_client, plan_updateable, extra,
        }
    }
}

prop_compose! {
    pub(crate) fn catalog()(services in vec(offering(), 0..3), extra in extra()) -> Box<Catalog> {
        Box::new(Catalog { services, extra })
    }
}

prop_compose! {
    fn last_operation()(
        state in prop_oneof![Just(State::InProgress), Just(State::Succeeded), Just(State::Failed)],
        description in of(text()), instance_usable in flag(), update_repeatable in flag(), extra in extra(),
    ) -> LastOperation {
        LastOperation { state, description, instance_usable, update_repeatable, extra }
    }
}

prop_compose! {
    fn error()(
        error in of(prop_oneof!["AsyncRequired", "ConcurrencyError", "RequiresApp", "[A-Za-z]{1,8}"]),
        description in of(text()), instance_usable in flag(), update_repeatable in flag(), extra in extra(),
    ) -> ErrorBody {
        ErrorBody { error: error.map(Into::into), description, instance_usable, update_repeatable, extra }
    }
}

fn etag() -> impl Strategy<Value = Option<String>> {
    of("(W/)?\"[!#-~]{0,8}\"")
}

/// Any answer that a broker can give.
pub(crate) fn answer() -> impl Strategy<Value = Answer> {
    prop_oneof![
        (catalog(), etag()).prop_map(|(body, etag)| Answer::Catalog { body, etag }),
        etag().prop_map(|etag| Answer::NotModified { etag }),
        (
            any::<bool>(),
            of(text()),
            of(instance_metadata()),
            of(text()),
            extra()
        )
            .prop_map(|(created, dashboard_url, metadata, operation, extra)| {
                Answer::Provisioned {
                    created,
                    body: ProvisionResponse {
                        dashboard_url,
                        metadata,
                        operation,
                        extra,
                    },
                }
            }),
        instance().prop_map(|body| Answer::Instance(Box::new(body))),
        (of(text()), of(instance_metadata()), extra()).prop_map(
            |(dashboard_url, metadata, extra)| {
                Answer::Updated(UpdateResponse {
                    dashboard_url,
                    metadata,
                    extra,
                })
            }
        ),
        (any::<bool>(), binding()).prop_map(|(created, body)| Answer::Bound { created, body }),
        binding().prop_map(Answer::Binding),
        Just(Answer::Deleted),
        accepted().prop_map(Answer::Accepted),
        (last_operation(), any::<Option<u64>>())
            .prop_map(|(body, retry_after)| Answer::LastOperation { body, retry_after }),
        (400_u16..600, error()).prop_map(|(status, body)| Answer::Error {
            status: StatusCode::from_u16(status).unwrap(),
            body,
        }),
    ]
}
