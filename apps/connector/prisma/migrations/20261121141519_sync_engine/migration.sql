-- CreateEnum
CREATE TYPE "job_kind" AS ENUM ('sync', 'permissions');

-- DropIndex
DROP INDEX "sync_items_connector_id_source_id_idx";

-- AlterTable
ALTER TABLE "files" ADD COLUMN     "ref" JSONB;

-- AlterTable
ALTER TABLE "sync_jobs" ADD COLUMN     "changes_from" TEXT,
ADD COLUMN     "counts" JSONB,
ADD COLUMN     "kind" "job_kind" NOT NULL DEFAULT 'sync',
ADD COLUMN     "next_cursor" TEXT,
ADD COLUMN     "purged_at" TIMESTAMPTZ(3),
ADD COLUMN     "scheduled" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "sync_states" (
    "connector_id" TEXT NOT NULL,
    "change_cursor" TEXT,
    "full_scan_at" TIMESTAMPTZ(3),
    "scheduled_at" TIMESTAMPTZ(3),
    "throttled_until" TIMESTAMPTZ(3),
    "throttle_reason" TEXT,
    "throttles" INTEGER NOT NULL DEFAULT 0,
    "permissions_due" BOOLEAN NOT NULL DEFAULT false,
    "permissions_at" TIMESTAMPTZ(3),

    CONSTRAINT "sync_states_pkey" PRIMARY KEY ("connector_id")
);

-- AddForeignKey
ALTER TABLE "sync_states" ADD CONSTRAINT "sync_states_connector_id_fkey" FOREIGN KEY ("connector_id") REFERENCES "connectors"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An item is looked for by its thing only while somebody holds it.
CREATE INDEX "sync_items_held_idx" ON "sync_items"("connector_id", "source_id") WHERE "lease_token" IS NOT NULL;
-- Items without an end: those that wait to be queued, in order, and those that are.
CREATE INDEX "sync_items_waiting_idx" ON "sync_items"("job_id", "id")
    WHERE "stage" IN ('planned', 'collected', 'parsed') AND "enqueued_at" IS NULL;
CREATE INDEX "sync_items_queued_idx" ON "sync_items"("job_id", "enqueued_at")
    WHERE "stage" IN ('planned', 'collected', 'parsed') AND "enqueued_at" IS NOT NULL;
DROP INDEX "sync_items_open_idx";
-- Ended jobs whose items are still there.
CREATE INDEX "sync_jobs_unpurged_idx" ON "sync_jobs"("completed_at") WHERE "purged_at" IS NULL AND "completed_at" IS NOT NULL;
INSERT INTO "sync_states" ("connector_id") SELECT DISTINCT "connector_id" FROM "sync_jobs";
