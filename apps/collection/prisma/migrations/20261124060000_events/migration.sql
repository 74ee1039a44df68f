-- AlterTable
ALTER TABLE "documents" ADD COLUMN     "announced_version" INTEGER;

-- CreateTable
CREATE TABLE "event_interests" (
    "team_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "types" TEXT[],

    CONSTRAINT "event_interests_pkey" PRIMARY KEY ("team_id")
);

-- CreateTable
CREATE TABLE "event_outbox" (
    "position" BIGSERIAL NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "team_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "resource" TEXT NOT NULL,
    "collection_ids" TEXT[],
    "webhook_id" TEXT,
    "data" JSONB NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_outbox_pkey" PRIMARY KEY ("position")
);

-- CreateIndex
CREATE UNIQUE INDEX "event_outbox_id_key" ON "event_outbox"("id");
