-- CreateIndex
CREATE INDEX "feedback_author_updated_at_idx" ON "feedback"("author", "updated_at" DESC);
