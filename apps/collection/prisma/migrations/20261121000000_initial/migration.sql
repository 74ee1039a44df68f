-- CreateEnum
CREATE TYPE "document_status" AS ENUM ('pending', 'processing', 'indexed', 'failed', 'deleted');

-- CreateTable
CREATE TABLE "collections" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "embedding_model" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "collections_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "documents" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "collection_id" TEXT NOT NULL,
    "connector_id" TEXT,
    "external_id" TEXT,
    "title" TEXT NOT NULL,
    "url" TEXT,
    "source" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "principals" TEXT[],
    "status" "document_status" NOT NULL DEFAULT 'pending',
    "error_code" TEXT,
    "error_message" TEXT,
    "version" INTEGER NOT NULL DEFAULT 0,
    "indexed_version" INTEGER NOT NULL DEFAULT 0,
    "chunk_count" INTEGER NOT NULL DEFAULT 0,
    "size_bytes" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "indexed_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "purged_at" TIMESTAMPTZ(3),

    CONSTRAINT "documents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "document_contents" (
    "document_id" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "summary" TEXT,

    CONSTRAINT "document_contents_pkey" PRIMARY KEY ("document_id")
);

-- CreateIndex
CREATE INDEX "collections_team_id_created_at_idx" ON "collections"("team_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "documents_collection_id_status_created_at_idx" ON "documents"("collection_id", "status", "created_at" DESC);

-- CreateIndex
CREATE INDEX "documents_connector_id_status_idx" ON "documents"("connector_id", "status");

-- CreateIndex
CREATE INDEX "documents_status_updated_at_idx" ON "documents"("status", "updated_at");

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_collection_id_fkey" FOREIGN KEY ("collection_id") REFERENCES "collections"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_contents" ADD CONSTRAINT "document_contents_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- One live document an item, within its connector, or within its collection where it was made through the API.
CREATE UNIQUE INDEX "documents_connector_item_key" ON "documents"("connector_id", "external_id")
    WHERE "connector_id" IS NOT NULL AND "external_id" IS NOT NULL AND "status" <> 'deleted';
CREATE UNIQUE INDEX "documents_collection_item_key" ON "documents"("collection_id", "external_id")
    WHERE "connector_id" IS NULL AND "external_id" IS NOT NULL AND "status" <> 'deleted';

-- What the reconciler looks for: deleted documents whose passages are still in the vector store.
CREATE INDEX "documents_unpurged_idx" ON "documents"("deleted_at") WHERE "status" = 'deleted' AND "purged_at" IS NULL;
