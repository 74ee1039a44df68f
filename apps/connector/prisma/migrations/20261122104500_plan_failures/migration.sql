-- AlterTable
ALTER TABLE "sync_jobs" ADD COLUMN     "plan_failing_ms" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "plan_failures" INTEGER NOT NULL DEFAULT 0;
