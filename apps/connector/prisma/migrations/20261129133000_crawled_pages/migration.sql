-- CreateTable
CREATE TABLE "crawled_pages" (
    "connector_id" TEXT NOT NULL,
    "url_hash" TEXT NOT NULL,
    "page" JSONB NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "crawled_pages_pkey" PRIMARY KEY ("connector_id","url_hash")
);

-- CreateIndex
CREATE INDEX "crawled_pages_connector_id_stored_at_idx" ON "crawled_pages"("connector_id", "stored_at");

-- AddForeignKey
ALTER TABLE "crawled_pages" ADD CONSTRAINT "crawled_pages_connector_id_fkey" FOREIGN KEY ("connector_id") REFERENCES "connectors"("id") ON DELETE CASCADE ON UPDATE CASCADE;
