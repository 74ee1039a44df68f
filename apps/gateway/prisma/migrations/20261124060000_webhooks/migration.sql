-- CreateEnum
CREATE TYPE "delivery_status" AS ENUM ('pending', 'delivered', 'failed', 'skipped');

-- CreateTable
CREATE TABLE "webhooks" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "events" TEXT[],
    "collections" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "created_by" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_version" INTEGER NOT NULL,
    "old_sealed" BYTEA,
    "old_wrapped_key" BYTEA,
    "old_master_key_version" INTEGER,
    "old_until" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "paused_until" TIMESTAMPTZ(3),
    "dropped" INTEGER NOT NULL DEFAULT 0,
    "dropped_at" TIMESTAMPTZ(3),
    "interest_version" BIGINT NOT NULL DEFAULT 0,
    "deleted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhooks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_interests" (
    "team_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "types" TEXT[],
    "stored" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "webhook_interests_pkey" PRIMARY KEY ("team_id")
);

-- CreateTable
CREATE TABLE "webhook_leases" (
    "name" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "leased_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_leases_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "webhook_events" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "collection_ids" TEXT[],
    "data" JSONB NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "id" TEXT NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "status" "delivery_status" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "lease_token" TEXT,
    "leased_until" TIMESTAMPTZ(3),
    "log" JSONB NOT NULL DEFAULT '[]',
    "ended_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "webhooks_team_id_created_at_idx" ON "webhooks"("team_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "webhooks_created_by_idx" ON "webhooks"("created_by");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_webhook_id_event_id_key" ON "webhook_deliveries"("webhook_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_webhook_id_position_idx" ON "webhook_deliveries"("webhook_id", "position" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_event_id_idx" ON "webhook_deliveries"("event_id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_ended_at_idx" ON "webhook_deliveries"("ended_at");

-- What can be sent next, and what waits for an earlier event of its resource.
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("webhook_id", "next_attempt_at") WHERE "status" = 'pending';
CREATE INDEX "webhook_deliveries_order_idx" ON "webhook_deliveries"("webhook_id", "resource", "position") WHERE "status" = 'pending';
CREATE INDEX "webhook_deliveries_leased_idx" ON "webhook_deliveries"("webhook_id", "leased_until") WHERE "leased_until" IS NOT NULL;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "webhook_events"("id") ON DELETE CASCADE ON UPDATE CASCADE;
