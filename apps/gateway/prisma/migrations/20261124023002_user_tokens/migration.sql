CREATE TABLE "user_tokens" (
    "id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "user_email" TEXT NOT NULL,
    "all_collections" BOOLEAN NOT NULL,
    "collections" TEXT[] NOT NULL,
    "filters" JSONB,
    "rights" TEXT[] NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "user_tokens_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "user_tokens_token_hash_key" ON "user_tokens"("token_hash");
CREATE INDEX "user_tokens_key_hash_idx" ON "user_tokens"("key_hash");
CREATE INDEX "user_tokens_expires_at_idx" ON "user_tokens"("expires_at");

ALTER TABLE "user_tokens" ADD CONSTRAINT "user_tokens_key_hash_fkey"
  FOREIGN KEY ("key_hash") REFERENCES "api_keys"("hash") ON DELETE CASCADE ON UPDATE CASCADE;
