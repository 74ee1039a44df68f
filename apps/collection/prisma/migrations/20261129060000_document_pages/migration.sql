-- CreateTable
CREATE TABLE "document_pages" (
    "document_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "page" INTEGER NOT NULL,
    "width" DOUBLE PRECISION NOT NULL,
    "height" DOUBLE PRECISION NOT NULL,
    "start" INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    "words" BYTEA NOT NULL,

    CONSTRAINT "document_pages_pkey" PRIMARY KEY ("document_id","version","page")
);

-- AddForeignKey
ALTER TABLE "document_pages" ADD CONSTRAINT "document_pages_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "documents"("id") ON DELETE CASCADE ON UPDATE CASCADE;
