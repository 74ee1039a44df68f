-- AlterTable
ALTER TABLE "search_model_downloads" ADD COLUMN "leased_by" TEXT;

-- CreateTable
CREATE TABLE "default_models" (
    "name" TEXT NOT NULL,

    CONSTRAINT "default_models_pkey" PRIMARY KEY ("name")
);
