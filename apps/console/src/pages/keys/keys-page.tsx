import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, callPage } from '#api/request.ts';
import type { KeyPair, NewKeyPair } from '#api/types.ts';
import { KeyForm } from '#pages/keys/key-form.tsx';
import { RotateForm } from '#pages/keys/rotate-form.tsx';
import { useSession } from '#session/session.ts';
import { Ago } from '#ui/ago.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { CopyField } from '#ui/copy-field.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Pager } from '#ui/pager.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { dateText } from '#ui/time-text.ts';

function stateOf({ revokedAt, expires_at: expiresAt }: KeyPair): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) < Date.now() ? 'expired' : 'active';
}

function scopeOf({ allow_all_collections: isAll, allowed_collections: ids }: KeyPair): string {
  return isAll ? 'all collections' : `${ids.length} ${ids.length === 1 ? 'collection' : 'collections'}`;
}

/** The team's pairs of keys. */
export default function KeysPage() {
  const session = useSession();
  const queryClient = useQueryClient();
  const [page, setPage] = useState(1);
  const [isMaking, setIsMaking] = useState(false);
  const [rotating, setRotating] = useState<KeyPair>();
  const [made, setMade] = useState<NewKeyPair>();
  const list = useQuery({
    queryKey: ['api-keys', page],
    queryFn: ({ signal }) =>
      callPage<readonly KeyPair[]>('GET', '/api/v1/api-keys', { query: { page, limit: 20 }, signal }),
    placeholderData: keepPreviousData,
    enabled: session.allow_all_collections,
  });
  const rotate = useMutation({
    mutationFn: ({ id, overlapSeconds }: { readonly id: string; readonly overlapSeconds: number }) =>
      call<NewKeyPair>('POST', `/api/v1/api-keys/${id}/rotate`, { body: { overlapSeconds } }),
    onSuccess: (pair) => {
      setRotating(undefined);
      setMade(pair);
      void queryClient.invalidateQueries({ queryKey: ['api-keys'] });
    },
  });
  if (!session.allow_all_collections) {
    return (
      <>
        <PageHead title="Keys" />
        <Empty title="This key may not manage keys">
          <p>Sign in with a key that reaches all collections.</p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="Keys" intro="A pair is a publishable key for pages and a secret key for servers.">
        <Button isPrimary onClick={() => setIsMaking(true)}>
          New pair
        </Button>
      </PageHead>
      {list.error ? <ErrorNotice error={list.error} onRetry={() => list.refetch()} /> : null}
      {list.isPending ? <Loading what="keys" /> : null}
      <ul className="plain-list">
        {list.data?.items.map((pair) => (
          <li key={pair.id} className="card row row-apart">
            <div className="grow">
              <h2>
                {pair.name} <StatusBadge status={stateOf(pair)} />{' '}
                {pair.id === session.id ? <StatusBadge status="in use here" /> : null}
              </h2>
              <p className="mono small">
                {pair.secretKeyPrefix} · {pair.publishableKeyPrefix}
              </p>
              <p className="muted small">
                {scopeOf(pair)} · used <Ago time={pair.lastUsedAt} /> · made <Ago time={pair.createdAt} />
                {pair.expires_at === null ? '' : ` · expires ${dateText(pair.expires_at)}`}
                {pair.require_signature ? ' · signed requests only' : ''}
              </p>
            </div>
            {pair.revokedAt === null ? (
              <div className="row">
                <Button onClick={() => setRotating(pair)}>Rotate</Button>
                <Confirm
                  label="Revoke"
                  question={`Revoke “${pair.name}”?`}
                  action={() => call('DELETE', `/api/v1/api-keys/${pair.id}`)}
                  onDone={() => list.refetch()}
                >
                  <p>
                    Both keys stop working within seconds, for good.
                    {pair.id === session.id ? ' You are signed in with this pair and will be signed out.' : ''}
                  </p>
                </Confirm>
              </div>
            ) : null}
          </li>
        ))}
      </ul>
      {list.data ? <Pager meta={list.data.meta} onPage={setPage} /> : null}
      <Sheet title="New pair of keys" isOpen={isMaking} onOpenChange={setIsMaking}>
        <KeyForm
          onDone={(pair) => {
            setIsMaking(false);
            setMade(pair);
          }}
        />
      </Sheet>
      <Sheet
        title={`Rotate “${rotating?.name ?? ''}”`}
        side="middle"
        isOpen={rotating !== undefined}
        onOpenChange={() => setRotating(undefined)}
      >
        <RotateForm
          isBusy={rotate.isPending}
          error={rotate.error}
          onRotate={(overlapSeconds) => rotating && rotate.mutate({ id: rotating.id, overlapSeconds })}
        />
      </Sheet>
      <Sheet
        title="The keys of the pair"
        description="They are shown this once. Copy them now."
        side="middle"
        isOpen={made !== undefined}
        onOpenChange={() => setMade(undefined)}
      >
        <CopyField label="Secret key" value={made?.secretKey ?? ''} />
        <CopyField label="Publishable key" value={made?.publishableKey ?? ''} />
      </Sheet>
    </>
  );
}
