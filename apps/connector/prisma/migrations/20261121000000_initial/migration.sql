-- CreateEnum
CREATE TYPE "connector_status" AS ENUM ('pending_auth', 'active', 'syncing', 'paused', 'error', 'deleting');

-- CreateEnum
CREATE TYPE "file_status" AS ENUM ('pending', 'processing', 'indexed', 'failed');

-- CreateEnum
CREATE TYPE "job_status" AS ENUM ('queued', 'running', 'completed', 'completed_with_errors', 'failed', 'cancelled');

-- CreateEnum
CREATE TYPE "sync_mode" AS ENUM ('auto', 'full', 'incremental');

-- CreateEnum
CREATE TYPE "item_action" AS ENUM ('index', 'delete');

-- CreateEnum
CREATE TYPE "item_stage" AS ENUM ('planned', 'collected', 'parsed', 'indexed', 'skipped', 'deleted', 'failed', 'cancelled');

-- CreateTable
CREATE TABLE "connectors" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "config" JSONB NOT NULL DEFAULT '{}',
    "status" "connector_status" NOT NULL DEFAULT 'active',
    "status_reason" TEXT,
    "last_sync" TIMESTAMPTZ(3),
    "keep_documents" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connectors_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "files" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "connector_id" TEXT NOT NULL,
    "source_id" TEXT COLLATE "C" NOT NULL,
    "path" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL DEFAULT 0,
    "mime_type" TEXT NOT NULL,
    "checksum" TEXT NOT NULL DEFAULT '',
    "blob_key" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "document_id" TEXT,
    "status" "file_status" NOT NULL DEFAULT 'pending',
    "indexed_version" TEXT,
    "removed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "loose_blobs" (
    "key" TEXT NOT NULL,
    "remove_after" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "loose_blobs_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "sync_jobs" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "connector_id" TEXT NOT NULL,
    "mode" "sync_mode" NOT NULL,
    "status" "job_status" NOT NULL DEFAULT 'queued',
    "file_filter" TEXT[],
    "confirm_deletions" BOOLEAN NOT NULL DEFAULT false,
    "checkpoint" TEXT,
    "planned_at" TIMESTAMPTZ(3),
    "plan_lease_token" TEXT,
    "plan_lease_until" TIMESTAMPTZ(3),
    "plan_attempts" INTEGER NOT NULL DEFAULT 0,
    "plan_enqueues" INTEGER NOT NULL DEFAULT 0,
    "plan_enqueued_at" TIMESTAMPTZ(3),
    "plan_retry_at" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error_message" TEXT,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "sync_jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sync_items" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "connector_id" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "source_id" TEXT COLLATE "C" NOT NULL,
    "path" TEXT NOT NULL,
    "action" "item_action" NOT NULL DEFAULT 'index',
    "ref" JSONB NOT NULL,
    "stage" "item_stage" NOT NULL DEFAULT 'planned',
    "collected" BOOLEAN NOT NULL DEFAULT false,
    "parsed" BOOLEAN NOT NULL DEFAULT false,
    "round" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "outages" INTEGER NOT NULL DEFAULT 0,
    "lease_token" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "enqueues" INTEGER NOT NULL DEFAULT 0,
    "enqueued_at" TIMESTAMPTZ(3),
    "retry_at" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "error_message" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sync_items_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "connectors_team_id_created_at_idx" ON "connectors"("team_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "connectors_collection_id_idx" ON "connectors"("collection_id");

-- CreateIndex
CREATE INDEX "files_removed_at_idx" ON "files"("removed_at");

-- CreateIndex
CREATE UNIQUE INDEX "files_connector_id_source_id_key" ON "files"("connector_id", "source_id");

-- CreateIndex
CREATE INDEX "loose_blobs_remove_after_idx" ON "loose_blobs"("remove_after");

-- CreateIndex
CREATE INDEX "sync_jobs_connector_id_id_idx" ON "sync_jobs"("connector_id", "id" DESC);

-- CreateIndex
CREATE INDEX "sync_items_job_id_stage_idx" ON "sync_items"("job_id", "stage");

-- CreateIndex
CREATE INDEX "sync_items_connector_id_source_id_idx" ON "sync_items"("connector_id", "source_id");

-- CreateIndex
CREATE UNIQUE INDEX "sync_items_job_id_source_id_key" ON "sync_items"("job_id", "source_id");

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_connector_id_fkey" FOREIGN KEY ("connector_id") REFERENCES "connectors"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sync_jobs" ADD CONSTRAINT "sync_jobs_connector_id_fkey" FOREIGN KEY ("connector_id") REFERENCES "connectors"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sync_items" ADD CONSTRAINT "sync_items_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "sync_jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One active job a connector.
CREATE UNIQUE INDEX "sync_jobs_one_active_key" ON "sync_jobs"("connector_id") WHERE "status" IN ('queued', 'running');

-- What the sweeper looks for: jobs that have not ended, and items without an end.
CREATE INDEX "sync_jobs_active_idx" ON "sync_jobs"("id") WHERE "status" IN ('queued', 'running');
CREATE INDEX "sync_items_open_idx" ON "sync_items"("job_id", "id") WHERE "stage" IN ('planned', 'collected', 'parsed');

-- An ended job says when; an active one does not.
ALTER TABLE "sync_jobs" ADD CONSTRAINT "sync_jobs_completed_at_check"
    CHECK (("completed_at" IS NULL) = ("status" IN ('queued', 'running')));
-- A failed item says why.
ALTER TABLE "sync_items" ADD CONSTRAINT "sync_items_error_check"
    CHECK ("stage" <> 'failed' OR ("error_code" IS NOT NULL AND "error_message" IS NOT NULL));
