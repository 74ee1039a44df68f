-- Existing pairs keep all rights and work from every address.
ALTER TABLE "key_pairs"
  ADD COLUMN "rights" TEXT[] NOT NULL DEFAULT ARRAY['search', 'chat', 'documents:read', 'documents:write', 'connectors', 'agents', 'analytics', 'keys']::TEXT[],
  ADD COLUMN "allowed_ips" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
