-- CreateTable
CREATE TABLE "retention" (
    "team_id" TEXT NOT NULL,
    "days" INTEGER,

    CONSTRAINT "retention_pkey" PRIMARY KEY ("team_id")
);
