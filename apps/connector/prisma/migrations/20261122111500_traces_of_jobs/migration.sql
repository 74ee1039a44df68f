-- AlterTable
ALTER TABLE "sync_jobs" ADD COLUMN     "trace_parent" TEXT;
