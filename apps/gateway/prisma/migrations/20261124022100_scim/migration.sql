-- CreateTable
CREATE TABLE "scim_tokens" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "scim_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "scim_users" (
    "person_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "user_name" TEXT NOT NULL,
    "external_id" TEXT,
    "given_name" TEXT,
    "family_name" TEXT,

    CONSTRAINT "scim_users_pkey" PRIMARY KEY ("person_id","source")
);

-- CreateIndex
CREATE UNIQUE INDEX "scim_tokens_token_hash_key" ON "scim_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "scim_tokens_team_id_created_at_idx" ON "scim_tokens"("team_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "scim_users_team_id_source_user_name_key" ON "scim_users"("team_id", "source", "user_name");

-- CreateIndex
CREATE INDEX "scim_users_team_id_source_external_id_idx" ON "scim_users"("team_id", "source", "external_id");

-- AddForeignKey
ALTER TABLE "scim_tokens" ADD CONSTRAINT "scim_tokens_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "scim_tokens" ADD CONSTRAINT "scim_tokens_token_hash_check" CHECK (octet_length("token_hash") = 32);
-- A second spelling of a user name would be a second account.
ALTER TABLE "scim_users" ADD CONSTRAINT "scim_users_user_name_check" CHECK ("user_name" = lower("user_name"));
