import { useMutation } from '@tanstack/react-query';
import { canUsePasskeys, PASSKEYS_UNAVAILABLE, signInWithPasskey } from '#session/passkeys.ts';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

/** Signs in with a passkey. Where that is impossible, it shows the reason. */
export function PasskeyButton({ onSignIn }: { readonly onSignIn: () => void }) {
  const attempt = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: onSignIn });
  if (!canUsePasskeys()) return <p className="muted small">{PASSKEYS_UNAVAILABLE}</p>;
  return (
    <>
      <Button isBusy={attempt.isPending} onClick={() => attempt.mutate()}>
        Sign in with a passkey
      </Button>
      {attempt.error ? <ErrorNotice error={attempt.error} /> : null}
    </>
  );
}
