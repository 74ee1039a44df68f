-- CreateTable
CREATE TABLE "completions" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "key_id" TEXT,
    "user_email" TEXT,
    "previous_id" TEXT,
    "messages" JSONB NOT NULL,
    "reply" JSONB NOT NULL,
    "documents" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "details" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "completions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "completions_created_at_idx" ON "completions"("created_at");

-- CreateIndex
CREATE INDEX "completions_team_id_created_at_idx" ON "completions"("team_id", "created_at");
