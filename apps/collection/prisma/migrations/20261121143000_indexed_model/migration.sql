-- AlterTable
ALTER TABLE "collections" ADD COLUMN "move_leased_until" TIMESTAMPTZ(3),
    ADD COLUMN "previous_models" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];

-- AlterTable
ALTER TABLE "documents" ADD COLUMN "indexed_model" TEXT;

-- Until now a collection kept its model for good.
UPDATE "documents" SET "indexed_model" = "collections"."embedding_model"
    FROM "collections"
    WHERE "collections"."id" = "documents"."collection_id" AND "documents"."indexed_version" > 0;
