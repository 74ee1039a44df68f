-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "request" JSONB,
ADD COLUMN     "steps" JSONB;

-- CreateTable: unlogged, since it holds what is of use for minutes, and is written for every reply.
CREATE UNLOGGED TABLE "open_replies" (
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "content" TEXT NOT NULL DEFAULT '',
    "steps" JSONB NOT NULL DEFAULT '[]',
    "failure" JSONB,
    "reader_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "open_replies_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "open_replies_created_at_idx" ON "open_replies"("created_at");

-- CreateIndex
CREATE INDEX "open_replies_conversation_id_idx" ON "open_replies"("conversation_id");

-- AddForeignKey
ALTER TABLE "open_replies" ADD CONSTRAINT "open_replies_conversation_id_fkey" FOREIGN KEY ("conversation_id") REFERENCES "conversations"("id") ON DELETE CASCADE ON UPDATE CASCADE;
