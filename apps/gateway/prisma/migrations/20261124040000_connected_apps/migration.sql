-- CreateEnum
CREATE TYPE "app_token_kind" AS ENUM ('access', 'refresh');

-- CreateTable
CREATE TABLE "app_clients" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "redirect_uris" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "fresh_until" TIMESTAMPTZ(3),

    CONSTRAINT "app_clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "app_grants" (
    "id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[],
    "resource" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "code_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "activated_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "app_grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "app_tokens" (
    "token_hash" BYTEA NOT NULL,
    "grant_id" TEXT NOT NULL,
    "kind" "app_token_kind" NOT NULL,
    "scopes" TEXT[],
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "app_tokens_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "app_clients_created_at_idx" ON "app_clients"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "app_grants_code_hash_key" ON "app_grants"("code_hash");

-- CreateIndex
CREATE INDEX "app_grants_person_id_created_at_idx" ON "app_grants"("person_id", "created_at");

-- CreateIndex
CREATE INDEX "app_grants_client_id_idx" ON "app_grants"("client_id");

-- CreateIndex
CREATE INDEX "app_grants_code_expires_at_idx" ON "app_grants"("code_expires_at");

-- CreateIndex
CREATE INDEX "app_grants_expires_at_idx" ON "app_grants"("expires_at");

-- CreateIndex
CREATE INDEX "app_tokens_grant_id_idx" ON "app_tokens"("grant_id");

-- CreateIndex
CREATE INDEX "app_tokens_expires_at_idx" ON "app_tokens"("expires_at");

-- AddForeignKey
ALTER TABLE "app_grants" ADD CONSTRAINT "app_grants_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app_grants" ADD CONSTRAINT "app_grants_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "app_clients"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app_tokens" ADD CONSTRAINT "app_tokens_grant_id_fkey" FOREIGN KEY ("grant_id") REFERENCES "app_grants"("id") ON DELETE CASCADE ON UPDATE CASCADE;
