-- AlterTable
ALTER TABLE "idempotent_requests" ADD COLUMN "subjects" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "idempotent_requests_subjects_idx" ON "idempotent_requests" USING GIN ("subjects");
