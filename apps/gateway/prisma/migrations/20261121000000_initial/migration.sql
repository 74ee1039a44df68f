-- CreateEnum
CREATE TYPE "key_kind" AS ENUM ('publishable', 'secret');

-- CreateTable
CREATE TABLE "teams" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "key_pairs" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "allow_all_collections" BOOLEAN NOT NULL DEFAULT true,
    "allowed_collections" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "allowed_hosts" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "allowed_referers" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "require_signature" BOOLEAN NOT NULL DEFAULT false,
    "rate_limit_per_minute" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "key_pairs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "hash" BYTEA NOT NULL,
    "pair_id" TEXT NOT NULL,
    "kind" "key_kind" NOT NULL,
    "last_four" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retires_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "teams_name_key" ON "teams"("name");

-- CreateIndex
CREATE INDEX "key_pairs_team_id_created_at_idx" ON "key_pairs"("team_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "api_keys_pair_id_idx" ON "api_keys"("pair_id");

-- AddForeignKey
ALTER TABLE "key_pairs" ADD CONSTRAINT "key_pairs_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_pair_id_fkey" FOREIGN KEY ("pair_id") REFERENCES "key_pairs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A pair has one present key of each kind; rotated-out ones stay until they retire.
CREATE UNIQUE INDEX "api_keys_present_key" ON "api_keys"("pair_id", "kind") WHERE "retires_at" IS NULL;

ALTER TABLE "key_pairs" ADD CONSTRAINT "key_pairs_rate_limit_check"
    CHECK ("rate_limit_per_minute" BETWEEN 1 AND 1000000);
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_hash_check" CHECK (octet_length("hash") = 32);
