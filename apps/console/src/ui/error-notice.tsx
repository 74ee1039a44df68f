import { LecternError } from '@lectern/sdk';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { RichText } from '#ui/rich-text.tsx';

/** The message of an error with a longer wait states when it ends. */
const MAX_WAIT_SECONDS = 3_600;

/** An error with its invalid fields and the request id. */
export function ErrorNotice({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }) {
  const known = error instanceof LecternError ? error : undefined;
  const waitSeconds = known?.retryAfterSeconds ?? 0;
  return (
    <div className="notice notice-error" role="alert">
      <p>{error.message}</p>
      {known && known.issues.length > 0 ? (
        <ul>
          {known.issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      ) : null}
      {waitSeconds > 0 && waitSeconds <= MAX_WAIT_SECONDS ? <p>{t('ui.tryAgainIn', { count: waitSeconds })}</p> : null}
      {known?.requestId === undefined ? null : (
        <p className="small">
          <RichText name="ui.request" values={{ id: known.requestId }} elements={{ code: <code /> }} />
        </p>
      )}
      {onRetry ? <Button onClick={onRetry}>{t('ui.tryAgain')}</Button> : null}
    </div>
  );
}
