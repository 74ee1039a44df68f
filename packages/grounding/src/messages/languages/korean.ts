import type { ReplyMessages } from '#messages/reply-messages';

export const KOREAN_MESSAGES: ReplyMessages = {
  quoted: '“{text}”',
  accordingTo: '“{title}” 문서에 따르면:',
  mayAnswer: '“{title}” 문서의 다음 내용이 질문의 답일 수 있습니다:',
  alsoIn: '“{title}” 문서에는 다음 내용도 있습니다:',
  overview: '문서 내용을 요약하면 다음과 같습니다:',
  closest: '가장 가까운 내용은 다음과 같습니다:',
  contradiction: '문서마다 내용이 다릅니다:',
  notFound: '제가 볼 수 있는 문서에서 답을 찾지 못했습니다.',
  nothingAbout: '제가 볼 수 있는 문서에서 {subject}에 관한 내용을 찾지 못했습니다.',
  missing: '찾은 내용에는 {value}에 관한 언급이 없습니다.',
  missingSeveral: '찾은 내용에는 {values}에 관한 언급이 없습니다.',
  mainPoints: '“{title}”의 주요 내용은 무엇인가요?',
  rephrase: '다른 단어로 질문하거나 문서에서 다루는 내용에 대해 질문해 주세요.',
  rephraseLike: '다른 단어로 질문하거나 문서에서 다루는 내용에 대해 질문해 주세요. 예: {titles}.',
  noDocuments: '아직 검색할 수 있는 문서가 없습니다. 문서를 업로드하거나 데이터 소스를 연결한 다음 다시 질문해 주세요.',
  notYet: '아직 답변할 수 없습니다.',
  indexing: { other: '문서 {count}개를 아직 색인하고 있습니다.' },
  askAgainLater: '몇 분 후에 다시 질문해 주세요.',
  withheld:
    '이 답변은 더 이상 표시되지 않습니다. 삭제되었거나 더 이상 읽을 수 없는 문서를 바탕으로 하기 때문입니다. 새 답변을 받으려면 다시 질문해 주세요.',
  greeting: '안녕하세요! 문서에 대해 질문하시면 답이 되는 내용을 인용해 드리겠습니다.',
  thanks: '천만에요. 더 필요한 것이 있으면 질문해 주세요.',
  farewell: '안녕히 가세요!',
  aboutMe:
    '저는 내장 추출 모델을 사용하는 Lectern입니다. 문서를 검색하여 질문에 답이 되는 문장을 출처와 함께 인용합니다. 직접 글을 쓰지는 않습니다.',
  acknowledged: '알겠습니다. 문서에서 무엇을 찾아 드릴까요?',
};
