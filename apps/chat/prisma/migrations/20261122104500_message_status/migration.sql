-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "status" TEXT NOT NULL DEFAULT 'complete';

-- A reply that timed out was neither checked nor counted.
ALTER TABLE "messages" DROP CONSTRAINT "messages_reply_facts";
ALTER TABLE "messages" ADD CONSTRAINT "messages_reply_facts" CHECK (
    ("role" = 'assistant') = ("model" IS NOT NULL)
    AND ("role" = 'assistant' AND "status" = 'complete') = ("sources" IS NOT NULL AND "confidence" IS NOT NULL AND "usage" IS NOT NULL)
);
ALTER TABLE "messages" ADD CONSTRAINT "messages_status" CHECK ("status" IN ('complete', 'timed_out'));
