-- CreateTable
CREATE UNLOGGED TABLE "rate_buckets" (
    "name" TEXT NOT NULL,
    "tat" BIGINT NOT NULL,
    "granted" INTEGER NOT NULL,

    CONSTRAINT "rate_buckets_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "used_signatures" (
    "digest" BYTEA NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_signatures_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "idempotent_requests" (
    "digest" BYTEA NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "holder" TEXT NOT NULL,
    "locked_until" TIMESTAMPTZ(3) NOT NULL,
    "answer" BYTEA,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotent_requests_pkey" PRIMARY KEY ("digest")
);

-- CreateTable
CREATE TABLE "audit_events" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "resource_type" TEXT NOT NULL,
    "resource_id" TEXT,
    "key_id" TEXT,
    "user_email" TEXT,
    "origin" TEXT NOT NULL,
    "user_agent" TEXT,
    "request_id" TEXT,
    "details" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "analytics_events" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "properties" JSONB NOT NULL DEFAULT '{}',
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "analytics_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "used_signatures_expires_at_idx" ON "used_signatures"("expires_at");

-- CreateIndex
CREATE INDEX "idempotent_requests_expires_at_idx" ON "idempotent_requests"("expires_at");

-- CreateIndex
CREATE INDEX "audit_events_team_id_created_at_id_idx" ON "audit_events"("team_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "analytics_events_team_id_occurred_at_id_idx" ON "analytics_events"("team_id", "occurred_at" DESC, "id");

-- CreateIndex
CREATE INDEX "analytics_events_team_id_name_occurred_at_idx" ON "analytics_events"("team_id", "name", "occurred_at" DESC);

-- Rows are rewritten all the time: room in the page, and no index on what changes, keep the updates there.
ALTER TABLE "rate_buckets" SET (fillfactor = 50);

ALTER TABLE "used_signatures" ADD CONSTRAINT "used_signatures_digest_check" CHECK (octet_length("digest") = 32);
ALTER TABLE "idempotent_requests" ADD CONSTRAINT "idempotent_requests_digest_check" CHECK (octet_length("digest") = 32);
