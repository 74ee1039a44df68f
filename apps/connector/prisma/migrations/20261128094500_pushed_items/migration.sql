-- CreateEnum
CREATE TYPE "snapshot_status" AS ENUM ('open', 'held', 'completed', 'cancelled');

-- CreateTable
CREATE TABLE "pushed_items" (
    "connector_id" TEXT NOT NULL,
    "item_id" TEXT COLLATE "C" NOT NULL,
    "content_revision" BIGINT,
    "principals_revision" BIGINT,
    "deleted_revision" BIGINT,
    "blob_key" TEXT,
    "properties" JSONB NOT NULL DEFAULT '{}',
    "version" TEXT,
    "principals" TEXT[],
    "snapshot_id" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pushed_items_pkey" PRIMARY KEY ("connector_id","item_id")
);

-- CreateTable
CREATE TABLE "push_snapshots" (
    "id" TEXT NOT NULL,
    "connector_id" TEXT NOT NULL,
    "status" "snapshot_status" NOT NULL DEFAULT 'open',
    "has_invalid_id" BOOLEAN NOT NULL DEFAULT false,
    "named" INTEGER NOT NULL DEFAULT 0,
    "missing" INTEGER NOT NULL DEFAULT 0,
    "job_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "push_snapshots_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "push_snapshots_connector_id_status_idx" ON "push_snapshots"("connector_id", "status");

-- CreateIndex
CREATE INDEX "push_snapshots_expires_at_idx" ON "push_snapshots"("expires_at");

-- For the sweep of old deletions.
CREATE INDEX "pushed_items_deleted_idx" ON "pushed_items"("updated_at") WHERE "content_revision" IS NULL;

-- For the failures of listed items.
CREATE INDEX "sync_items_failed_idx" ON "sync_items"("connector_id", "source_id", "id" DESC) WHERE "stage" = 'failed';

-- AlterTable
ALTER TABLE "sync_jobs" ADD COLUMN "extended_at" TIMESTAMPTZ(3);

-- AddForeignKey
ALTER TABLE "pushed_items" ADD CONSTRAINT "pushed_items_connector_id_fkey" FOREIGN KEY ("connector_id") REFERENCES "connectors"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_snapshots" ADD CONSTRAINT "push_snapshots_connector_id_fkey" FOREIGN KEY ("connector_id") REFERENCES "connectors"("id") ON DELETE CASCADE ON UPDATE CASCADE;
