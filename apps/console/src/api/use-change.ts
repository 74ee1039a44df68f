import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';

/** A change of what the server knows. What is kept under the names it `touches` is read anew afterwards, then `onDone` is told. */
export function useChange<T, Given = void>(
  action: (given: Given) => PromiseLike<T>,
  touches: readonly string[],
  onDone?: (answer: T, given: Given) => void,
): UseMutationResult<T, Error, Given> {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (given: Given) => action(given),
    onSuccess: (answer, given) => {
      for (const name of touches) void queryClient.invalidateQueries({ queryKey: [name] });
      onDone?.(answer, given);
    },
  });
}
