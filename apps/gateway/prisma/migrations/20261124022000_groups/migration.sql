-- CreateEnum
CREATE TYPE "group_origin" AS ENUM ('scim', 'sign_in', 'admin');

-- CreateTable
CREATE TABLE "groups" (
    "id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "origin" "group_origin" NOT NULL,
    "external_id" TEXT,
    "name" TEXT NOT NULL,
    "role" "person_role",
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "group_members" (
    "group_id" TEXT NOT NULL,
    "person_id" TEXT NOT NULL,

    CONSTRAINT "group_members_pkey" PRIMARY KEY ("group_id","person_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "groups_team_id_source_name_key" ON "groups"("team_id", "source", "name");

-- CreateIndex
CREATE INDEX "group_members_person_id_idx" ON "group_members"("person_id");

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_team_id_fkey" FOREIGN KEY ("team_id") REFERENCES "teams"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Owners are made by hand only.
ALTER TABLE "groups" ADD CONSTRAINT "groups_role_check" CHECK ("role" IN ('editor', 'admin'));
