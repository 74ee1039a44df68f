import { useMutation } from '@tanstack/react-query';
import { canUsePasskeys, signInWithPasskey } from '#session/passkeys.ts';
import { t } from '#texts/texts.ts';

import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';

/** Signs in with a passkey. Where that is impossible, it shows the reason. */
export function PasskeyButton({ onSignIn }: { readonly onSignIn: () => void }) {
  const attempt = useMutation({ mutationFn: () => signInWithPasskey(), onSuccess: onSignIn });
  if (!canUsePasskeys()) return <p className="muted small">{t('session.passkeysUnavailable')}</p>;
  return (
    <>
      <Button isBusy={attempt.isPending} onClick={() => attempt.mutate()}>
        {t('session.withPasskey')}
      </Button>
      {attempt.error ? <ErrorNotice error={attempt.error} /> : null}
    </>
  );
}
