#include "reports/lang.h"

const struct vs_lang vs_lang_ja = {
	.code = "ja",
	.text = {
		[VS_MSG_SUM_NONE] = "{0} 個のサンプルからは一定の水準が見つかりませんでした",
		[VS_MSG_SUM_FLAT] = "{0} を {1}間、段差なく維持しました",
		[VS_MSG_SUM_RISE] = "{0} へ {1}間、{2} 段でスケールアップしました",
		[VS_MSG_SUM_RISE_ONE] = "{0} へ {1}後に 1 段でスケールアップしました",
		[VS_MSG_SUM_DROP] = "{0} へ {1}間で低下しました",
		[VS_MSG_SUM_FALL] = "その後 {1}で {0} に戻りました",
		[VS_MSG_SUM_NO_FALL] = "無負荷の {0}間には低下しませんでした",
		[VS_MSG_SUM_JOIN] = "{0}。{1}",
		[VS_MSG_SUM_END] = "{0}。",
		[VS_MSG_TIER] = "VPU {0}",
		[VS_MSG_TIER_OTHER] = "ティア {0}",
		[VS_MSG_TIER_RANGE] = "{0} から {1}（{2} から {3} IOPS）",
		[VS_MSG_IOPS_RANGE] = "{0} から {1} IOPS",
		[VS_MSG_IOPS] = "{0} IOPS",
		[VS_MSG_IOPS_OF_TIER] = "{0}（{1} IOPS）",

		[VS_MSG_DAYS] = "日",
		[VS_MSG_HOURS] = "時間",
		[VS_MSG_MINUTES] = "分",
		[VS_MSG_SECONDS] = "秒",
		[VS_MSG_MILLISECONDS] = "ミリ秒",
		[VS_MSG_DURATION_JOIN] = "",

		[VS_MSG_WARN_EMULATED] =
			"エミュレーション: 上限は volscale 自身が一時ファイル上で作ったものです。"
			"クラウドのボリュームの数値ではありません。",
		[VS_MSG_WARN_RUNNING] = "記録はまだ続いています。これは現時点までのタイムラインです。",
		[VS_MSG_WARN_INTERRUPTED] =
			"記録は終了前に中断されました。それまでの結果はすべて含まれています。",
		[VS_MSG_WARN_FAILED] = "記録は途中で失敗しました。イベントを参照してください。",
		[VS_MSG_WARN_CRASHED] =
			"記録プロセスが異常終了しました。最後の区間を除いてすべて含まれています。",
		[VS_MSG_WARN_DEVICE] =
			"デバイスの読み取り数はワークロードの計数の {0} % でした（要求の結合・分割、"
			"または他の利用者）。水準はデバイスの計数によります。",
		[VS_MSG_WARN_BIASED] =
			"記録したツールはこのモードで数え間違うことが知られています。"
			"ティアの判定はしていません。",
		[VS_MSG_WARN_ERRORS] = "{0} 件の読み取りが失敗しました。水準には含めていません。",
		[VS_MSG_WARN_MISSING] = "{0} 区間にはサンプルがありません。補間はしていません。",
		[VS_MSG_NOTE_PENDING] =
			"{0} 以降は {1} IOPS の新しい水準の可能性がありますが、確定する前に記録が終わりました。",
		[VS_MSG_NOTE_STALLS] =
			"完了した読み取りのない停止が {0} 回ありました。最長は {1}です。",
	},
};
