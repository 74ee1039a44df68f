import type { ReplyMessages } from '#messages/reply-messages';

export const VIETNAMESE_MESSAGES: ReplyMessages = {
  quoted: '“{text}”',
  accordingTo: 'Theo “{title}”:',
  mayAnswer: 'Đoạn này trong “{title}” có thể trả lời câu hỏi:',
  alsoIn: '“{title}” bổ sung:',
  overview: 'Tóm tắt từ các tài liệu:',
  closest: 'Đây là đoạn gần nhất mà tôi tìm thấy:',
  contradiction: 'Các tài liệu không thống nhất với nhau:',
  notFound: 'Tôi không tìm thấy câu trả lời cho câu hỏi này trong các tài liệu mà tôi có thể xem.',
  nothingAbout: 'Tôi không tìm thấy gì về {subject} trong các tài liệu mà tôi có thể xem.',
  missing: 'Các đoạn tìm thấy không đề cập đến {value}.',
  missingSeveral: 'Các đoạn tìm thấy không đề cập đến {values}.',
  mainPoints: '“{title}” có những điểm chính nào?',
  rephrase: 'Vui lòng thử dùng từ khác hoặc hỏi về nội dung có trong tài liệu.',
  rephraseLike: 'Vui lòng thử dùng từ khác hoặc hỏi về nội dung có trong tài liệu, ví dụ {titles}.',
  noDocuments:
    'Chưa có tài liệu nào để tôi tìm kiếm cho bạn. Vui lòng tải tài liệu lên hoặc kết nối một nguồn, rồi hỏi lại.',
  notYet: 'Tôi chưa thể trả lời.',
  indexing: { other: '{count} tài liệu vẫn đang được lập chỉ mục.' },
  askAgainLater: 'Vui lòng hỏi lại sau vài phút.',
  withheld:
    'Câu trả lời này không còn được hiển thị: nó dựa trên các tài liệu đã bị xóa hoặc bạn không còn được phép đọc. Vui lòng hỏi lại để nhận câu trả lời mới.',
  greeting: 'Xin chào! Vui lòng đặt câu hỏi về tài liệu của bạn, tôi sẽ trích dẫn những đoạn trả lời câu hỏi đó.',
  thanks: 'Không có gì. Nếu cần thêm điều gì, bạn cứ hỏi.',
  farewell: 'Tạm biệt!',
  aboutMe:
    'Tôi là Lectern với mô hình trích xuất có sẵn: tôi tìm trong tài liệu của bạn và trích dẫn những câu trả lời câu hỏi của bạn, kèm theo nguồn. Tôi không tự viết nội dung.',
  acknowledged: 'Vâng. Bạn muốn tìm gì trong tài liệu của mình?',
};
