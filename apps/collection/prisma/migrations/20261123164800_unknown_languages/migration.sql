-- CreateIndex: the documents whose languages are not recorded yet.
CREATE INDEX "documents_unknown_languages_idx" ON "documents"("collection_id")
  WHERE "indexed_version" > 0 AND "indexed_analysis" < 2 AND "status" <> 'deleted';
