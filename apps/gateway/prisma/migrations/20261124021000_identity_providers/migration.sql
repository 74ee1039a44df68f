-- CreateTable
CREATE TABLE "identity_providers" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "wrapped_key" BYTEA NOT NULL,
    "master_key_version" INTEGER NOT NULL,
    "scopes" TEXT[],
    "domains" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "default_role" "person_role" NOT NULL DEFAULT 'member',
    "trusts_addresses" BOOLEAN NOT NULL DEFAULT false,
    "allows_owners" BOOLEAN NOT NULL DEFAULT false,
    "groups_claim" TEXT NOT NULL DEFAULT 'groups',
    "is_shown" BOOLEAN NOT NULL DEFAULT true,
    "is_from_settings" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_providers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "person_identities" (
    "provider_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "person_identities_pkey" PRIMARY KEY ("provider_id","subject")
);

-- CreateTable
CREATE TABLE "sign_in_attempts" (
    "state_hash" BYTEA NOT NULL,
    "browser_hash" BYTEA NOT NULL,
    "provider_id" TEXT NOT NULL,
    "return_to" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sign_in_attempts_pkey" PRIMARY KEY ("state_hash")
);

-- AlterTable
ALTER TABLE "sessions" ADD COLUMN "provider_id" TEXT,
    ADD COLUMN "subject" TEXT,
    ADD COLUMN "provider_session_id" TEXT,
    ADD COLUMN "sealed" BYTEA,
    ADD COLUMN "wrapped_key" BYTEA,
    ADD COLUMN "master_key_version" INTEGER;

-- CreateIndex
CREATE UNIQUE INDEX "identity_providers_team_id_slug_key" ON "identity_providers"("team_id", "slug");

-- CreateIndex
CREATE INDEX "person_identities_person_id_idx" ON "person_identities"("person_id");

-- CreateIndex
CREATE INDEX "sign_in_attempts_expires_at_idx" ON "sign_in_attempts"("expires_at");

-- CreateIndex
CREATE INDEX "sessions_provider_id_subject_idx" ON "sessions"("provider_id", "subject");

-- AddForeignKey
ALTER TABLE "identity_providers" ADD CONSTRAINT "identity_providers_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "person_identities" ADD CONSTRAINT "person_identities_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identity_providers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "person_identities" ADD CONSTRAINT "person_identities_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sign_in_attempts" ADD CONSTRAINT "sign_in_attempts_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identity_providers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_provider_id_fkey" FOREIGN KEY ("provider_id") REFERENCES "identity_providers"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A provider that could make owners would let admins make them.
ALTER TABLE "identity_providers" ADD CONSTRAINT "identity_providers_default_role_check" CHECK ("default_role" <> 'owner');
