"""A small broker written with openbrokerapi, the way a user of that library writes one.

One offering with two plans: `sync` does everything at once, `async` takes a moment in the background. State is in
memory. Nothing here works around the library: what its brokers do wrong by themselves, this one does wrong too.
"""

import argparse
import logging
import threading
import time
import uuid

from flask import Flask
from openbrokerapi import api, errors
from openbrokerapi.catalog import ServicePlan
from openbrokerapi.service_broker import (
    Binding,
    BindState,
    DeprovisionServiceSpec,
    GetBindingSpec,
    GetInstanceDetailsSpec,
    LastOperation,
    OperationState,
    ProvisionedServiceSpec,
    ProvisionState,
    Service,
    ServiceBroker,
    UnbindSpec,
    UpdateServiceSpec,
)
from waitress import create_server

SERVICE = "0b2f5a3c-6d0e-4f6c-9a53-51c7a6f0d101"
SYNC_PLAN = "0b2f5a3c-6d0e-4f6c-9a53-51c7a6f0d102"
ASYNC_PLAN = "0b2f5a3c-6d0e-4f6c-9a53-51c7a6f0d103"


class Operation:
    def __init__(self, finish):
        self.id = str(uuid.uuid4())
        self.state = OperationState.IN_PROGRESS
        self.finish = finish


class MemoryBroker(ServiceBroker):
    def __init__(self, seconds):
        self.seconds = seconds
        self.lock = threading.RLock()
        self.instances = {}
        self.bindings = {}

    def catalog(self):
        return Service(
            id=SERVICE,
            name="memory",
            description="keeps what it is told until it is restarted",
            bindable=True,
            plan_updateable=True,
            instances_retrievable=True,
            bindings_retrievable=True,
            plans=[
                ServicePlan(id=SYNC_PLAN, name="sync", description="everything at once", free=True),
                ServicePlan(id=ASYNC_PLAN, name="async", description="everything in a moment", free=True),
            ],
        )

    def provision(self, instance_id, details, async_allowed, **kwargs):
        wanted = {
            "service_id": details.service_id,
            "plan_id": details.plan_id,
            "organization_guid": details.organization_guid,
            "space_guid": details.space_guid,
            "parameters": details.parameters,
        }
        with self.lock:
            known = self.instances.get(instance_id)
            if known:
                if known["request"] != wanted:
                    raise errors.ErrInstanceAlreadyExists()
                if known["operation"] and not known["ready"]:
                    return ProvisionedServiceSpec(ProvisionState.IS_ASYNC, operation=known["operation"].id)
                return ProvisionedServiceSpec(ProvisionState.IDENTICAL_ALREADY_EXISTS)
            instance = {
                "request": wanted,
                "plan_id": details.plan_id,
                "parameters": details.parameters,
                "ready": True,
                "operation": None,
            }
            if details.plan_id == ASYNC_PLAN:
                if not async_allowed:
                    raise errors.ErrAsyncRequired()
                instance["ready"] = False
                instance["operation"] = self.begin(lambda: instance.update(ready=True))
            self.instances[instance_id] = instance
            if instance["operation"]:
                return ProvisionedServiceSpec(ProvisionState.IS_ASYNC, operation=instance["operation"].id)
            return ProvisionedServiceSpec()

    def update(self, instance_id, details, async_allowed, **kwargs):
        with self.lock:
            instance = self.instances.get(instance_id)
            if instance is None:
                raise errors.ErrBadRequest("Instance does not exist")
            if self.busy(instance):
                raise errors.ErrConcurrentInstanceAccess()

            def apply():
                if details.plan_id:
                    instance["plan_id"] = details.plan_id
                if details.parameters is not None:
                    instance["parameters"] = details.parameters

            if instance["plan_id"] == ASYNC_PLAN:
                if not async_allowed:
                    raise errors.ErrAsyncRequired()
                instance["operation"] = self.begin(apply)
                return UpdateServiceSpec(True, operation=instance["operation"].id)
            apply()
            return UpdateServiceSpec(False)

    def deprovision(self, instance_id, details, async_allowed, **kwargs):
        with self.lock:
            instance = self.instances.get(instance_id)
            if instance is None:
                raise errors.ErrInstanceDoesNotExist()
            if self.busy(instance):
                raise errors.ErrConcurrentInstanceAccess()
            if instance["plan_id"] == ASYNC_PLAN:
                if not async_allowed:
                    raise errors.ErrAsyncRequired()
                instance["operation"] = self.begin(lambda: self.instances.pop(instance_id))
                return DeprovisionServiceSpec(True, operation=instance["operation"].id)
            del self.instances[instance_id]
            return DeprovisionServiceSpec(False)

    def last_operation(self, instance_id, operation_data, service_id, plan_id, **kwargs):
        with self.lock:
            instance = self.instances.get(instance_id)
            if instance is None:
                raise errors.ErrInstanceDoesNotExist()
            return self.progress(instance)

    def get_instance(self, instance_id, **kwargs):
        with self.lock:
            instance = self.instances.get(instance_id)
            if instance is None or not instance["ready"]:
                raise errors.ErrInstanceDoesNotExist()
            if self.busy(instance):
                raise errors.ErrConcurrentInstanceAccess()
            return GetInstanceDetailsSpec(SERVICE, instance["plan_id"], parameters=instance["parameters"])

    def bind(self, instance_id, binding_id, details, async_allowed, **kwargs):
        wanted = {
            "service_id": details.service_id,
            "plan_id": details.plan_id,
            "app_guid": details.app_guid,
            "parameters": details.parameters,
        }
        with self.lock:
            instance = self.instances.get(instance_id)
            if instance is None:
                raise errors.ErrBadRequest("Instance does not exist")
            known = self.bindings.get((instance_id, binding_id))
            if known:
                if known["request"] != wanted:
                    raise errors.ErrBindingAlreadyExists()
                if known["operation"] and not known["ready"]:
                    return Binding(BindState.IS_ASYNC, operation=known["operation"].id)
                return Binding(BindState.IDENTICAL_ALREADY_EXISTS, credentials=known["credentials"])
            if self.busy(instance):
                raise errors.ErrConcurrentInstanceAccess()
            binding = {
                "request": wanted,
                "credentials": {"username": binding_id, "password": str(uuid.uuid4())},
                "ready": True,
                "operation": None,
            }
            if instance["plan_id"] == ASYNC_PLAN:
                if not async_allowed:
                    raise errors.ErrAsyncRequired()
                binding["ready"] = False
                binding["operation"] = self.begin(lambda: binding.update(ready=True))
            self.bindings[(instance_id, binding_id)] = binding
            if binding["operation"]:
                return Binding(BindState.IS_ASYNC, operation=binding["operation"].id)
            return Binding(credentials=binding["credentials"])

    def unbind(self, instance_id, binding_id, details, async_allowed, **kwargs):
        with self.lock:
            binding = self.bindings.get((instance_id, binding_id))
            if binding is None:
                raise errors.ErrBindingDoesNotExist()
            if self.busy(binding):
                raise errors.ErrConcurrentInstanceAccess()
            if details.plan_id == ASYNC_PLAN:
                if not async_allowed:
                    raise errors.ErrAsyncRequired()
                binding["operation"] = self.begin(lambda: self.bindings.pop((instance_id, binding_id)))
                return UnbindSpec(True, operation=binding["operation"].id)
            del self.bindings[(instance_id, binding_id)]
            return UnbindSpec(False)

    def last_binding_operation(self, instance_id, binding_id, operation_data, service_id, plan_id, **kwargs):
        with self.lock:
            binding = self.bindings.get((instance_id, binding_id))
            if binding is None:
                raise errors.ErrBindingDoesNotExist()
            return self.progress(binding)

    def get_binding(self, instance_id, binding_id, **kwargs):
        with self.lock:
            binding = self.bindings.get((instance_id, binding_id))
            if binding is None or not binding["ready"]:
                raise errors.ErrBindingDoesNotExist()
            return GetBindingSpec(credentials=binding["credentials"], parameters=binding["request"]["parameters"])

    def begin(self, finish):
        operation = Operation(finish)
        threading.Thread(target=self.work, args=(operation,), daemon=True).start()
        return operation

    def work(self, operation):
        time.sleep(self.seconds)
        with self.lock:
            operation.finish()
            operation.state = OperationState.SUCCEEDED

    @staticmethod
    def busy(thing):
        return thing["operation"] is not None and thing["operation"].state == OperationState.IN_PROGRESS

    @staticmethod
    def progress(thing):
        if thing["operation"] is None:
            return LastOperation(OperationState.SUCCEEDED)
        return LastOperation(thing["operation"].state, "working on it")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--user", required=True)
    arguments.add_argument("--password", required=True)
    arguments.add_argument("--seconds", type=float, default=0.2, help="how long asynchronous work takes")
    arguments = arguments.parse_args()

    # The library logs a stack trace for every refusal; a test would drown in them.
    logging.disable(logging.CRITICAL)
    app = Flask("openbrokerapi_broker")
    credentials = api.BrokerCredentials(arguments.user, arguments.password)
    app.register_blueprint(api.get_blueprint(MemoryBroker(arguments.seconds), credentials, app.logger))
    server = create_server(app, host="127.0.0.1", port=0, threads=8)
    print(f"listening on http://127.0.0.1:{server.effective_port}", flush=True)
    server.run()


if __name__ == "__main__":
    main()
