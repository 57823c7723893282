"""Runs the migrations on the connection that `companion.store.database` hands over."""

from __future__ import annotations

from alembic import context

from companion.store.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
