-- CreateEnum
CREATE TYPE "space_status" AS ENUM ('training', 'ready', 'retired');

-- CreateTable
CREATE TABLE "spaces" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "embedding_model" TEXT NOT NULL,
    "status" "space_status" NOT NULL DEFAULT 'training',
    "passages" INTEGER NOT NULL,
    "trained_on" INTEGER NOT NULL DEFAULT 0,
    "terms" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "leased_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ready_at" TIMESTAMPTZ(3),
    "moved_at" TIMESTAMPTZ(3),

    CONSTRAINT "spaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "space_contents" (
    "space_id" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,

    CONSTRAINT "space_contents_pkey" PRIMARY KEY ("space_id")
);

-- CreateIndex
CREATE INDEX "spaces_team_id_embedding_model_status_idx" ON "spaces"("team_id", "embedding_model", "status");

-- AddForeignKey
ALTER TABLE "space_contents" ADD CONSTRAINT "space_contents_space_id_fkey" FOREIGN KEY ("space_id") REFERENCES "spaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One training at a time, whatever number of processes look for work.
CREATE UNIQUE INDEX "spaces_training_key" ON "spaces"("team_id", "embedding_model") WHERE "status" = 'training';

-- Bytes of a learned space hardly compress.
ALTER TABLE "space_contents" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
