-- CreateEnum
CREATE TYPE "person_role" AS ENUM ('member', 'editor', 'admin', 'owner');

-- CreateEnum
CREATE TYPE "person_status" AS ENUM ('active', 'deactivated');

-- CreateEnum
CREATE TYPE "link_purpose" AS ENUM ('owner', 'invitation', 'reset');

-- CreateTable
CREATE TABLE "people" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "role" "person_role" NOT NULL,
    "status" "person_status" NOT NULL DEFAULT 'active',
    "password_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "last_sign_in_at" TIMESTAMPTZ(3),

    CONSTRAINT "people_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "person_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_links" (
    "id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "purpose" "link_purpose" NOT NULL,
    "team_id" TEXT NOT NULL,
    "email" TEXT,
    "role" "person_role",
    "person_id" TEXT,
    "created_by" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_links_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "people_email_key" ON "people"("email");

-- CreateIndex
CREATE INDEX "people_team_id_created_at_idx" ON "people"("team_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_hash_key" ON "sessions"("token_hash");

-- CreateIndex
CREATE INDEX "sessions_person_id_idx" ON "sessions"("person_id");

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "account_links_token_hash_key" ON "account_links"("token_hash");

-- CreateIndex
CREATE INDEX "account_links_team_id_created_at_idx" ON "account_links"("team_id", "created_at");

-- CreateIndex
CREATE INDEX "account_links_expires_at_idx" ON "account_links"("expires_at");

-- AddForeignKey
ALTER TABLE "people" ADD CONSTRAINT "people_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A second spelling of an address would be a second account.
ALTER TABLE "people" ADD CONSTRAINT "people_email_check" CHECK ("email" = lower("email"));
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_token_hash_check" CHECK (octet_length("token_hash") = 32);
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_token_hash_check" CHECK (octet_length("token_hash") = 32);

-- Each purpose has its own fields.
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_purpose_check" CHECK (
    CASE "purpose"
        WHEN 'owner' THEN "email" IS NULL AND "role" = 'owner' AND "person_id" IS NULL
        WHEN 'invitation' THEN "email" IS NOT NULL AND "role" IS NOT NULL AND "person_id" IS NULL
        ELSE "email" IS NULL AND "role" IS NULL AND "person_id" IS NOT NULL
    END
);
