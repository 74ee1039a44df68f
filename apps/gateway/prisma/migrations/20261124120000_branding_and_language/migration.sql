-- AlterTable
ALTER TABLE "people" ADD COLUMN     "language" TEXT;

-- CreateTable
CREATE TABLE "branding" (
    "team_id" TEXT NOT NULL,
    "name" TEXT,
    "accent" TEXT,
    "logo_id" TEXT,
    "logo" BYTEA,
    "logo_type" TEXT,

    CONSTRAINT "branding_pkey" PRIMARY KEY ("team_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "branding_logo_id_key" ON "branding"("logo_id");
