-- AlterTable
ALTER TABLE "runs" ADD COLUMN "documents" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
