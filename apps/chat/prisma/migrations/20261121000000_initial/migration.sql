-- CreateEnum
CREATE TYPE "role" AS ENUM ('user', 'assistant');

-- CreateTable
CREATE TABLE "conversations" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "key_id" TEXT,
    "user_email" TEXT,
    "agent_id" TEXT,
    "title" TEXT NOT NULL,
    "message_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "turn_id" TEXT,
    "turn_until" TIMESTAMPTZ(3),

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "messages" (
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "role" "role" NOT NULL,
    "content" TEXT NOT NULL,
    "sources" JSONB,
    "confidence" JSONB,
    "usage" JSONB,
    "model" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "conversations_team_id_updated_at_id_idx" ON "conversations"("team_id", "updated_at" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_conversation_id_position_key" ON "messages"("conversation_id", "position");

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An assistant's message says what it rests on and what it cost; a user's has none of that.
ALTER TABLE "messages" ADD CONSTRAINT "messages_reply_facts" CHECK (
    ("role" = 'assistant') = ("sources" IS NOT NULL AND "confidence" IS NOT NULL AND "usage" IS NOT NULL AND "model" IS NOT NULL)
);
ALTER TABLE "messages" ADD CONSTRAINT "messages_position" CHECK ("position" >= 0);

-- What the clean-up looks for: conversations whose first turn never came to an end.
CREATE INDEX "conversations_empty_idx" ON "conversations"("created_at") WHERE "message_count" = 0;
