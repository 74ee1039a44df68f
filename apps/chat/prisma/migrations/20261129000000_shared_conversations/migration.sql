-- Signed-in people of the team can read shared conversations.
ALTER TABLE "conversations" ADD COLUMN "shared" BOOLEAN NOT NULL DEFAULT false;

-- Null for replies of earlier versions: only the owner of the conversation sees them.
ALTER TABLE "messages" ADD COLUMN "shown_documents" JSONB;

CREATE INDEX "conversations_shared_idx" ON "conversations"("team_id", "updated_at" DESC, "id") WHERE "shared";
