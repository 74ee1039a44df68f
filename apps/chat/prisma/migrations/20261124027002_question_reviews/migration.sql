-- CreateTable
CREATE TABLE "question_reviews" (
    "message_id" TEXT NOT NULL,
    "done_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "question_reviews_pkey" PRIMARY KEY ("message_id")
);

-- AddForeignKey
ALTER TABLE "question_reviews" ADD CONSTRAINT "question_reviews_message_id_fkey" FOREIGN KEY ("message_id") REFERENCES "messages"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The replies to review, apart from those with feedback. Prisma cannot declare this index.
CREATE INDEX "messages_review_idx" ON "messages"("created_at" DESC)
WHERE "role" = 'assistant' AND "status" = 'complete'
  AND ("confidence"->>'label' = 'low' OR "confidence"->'signals'->'shapeConfidence' = '0'::jsonb);
