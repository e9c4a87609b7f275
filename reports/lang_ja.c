#include "reports/lang.h"

const struct vs_lang vs_lang_ja = {
	.code = "ja",
	.text = {
		[VS_MSG_SUM_EMPTY] = "サンプルは記録されていません",
		[VS_MSG_SUM_NONE] = "{1}間の平均は {0} IOPS で、一定の水準は見つかりませんでした",
		[VS_MSG_SUM_FLAT] = "{0} を {1}間、段差なく維持しました",
		[VS_MSG_SUM_SHORT] = "{1}間で {0} でした（段差を判定するには短すぎます）",
		[VS_MSG_SUM_RISE] = "{0} へ、{1}かけて {2} 段でスケールアップしました{3}",
		[VS_MSG_SUM_RISE_ONE] = "{0} へ、{1}後に 1 段でスケールアップしました{3}",
		[VS_MSG_SUM_DROP] = "{0} へ、{1}かけて低下しました{3}",
		[VS_MSG_SUM_FALL] = "その後 {1}で {0} に戻りました",
		[VS_MSG_SUM_NO_FALL] = "無負荷の {0}間には低下しませんでした",
		[VS_MSG_SUM_ENDED] = "最後は {0} でした",
		[VS_MSG_SUM_INSTANCE] = "上限はボリュームではなくインスタンスによるものです",
		[VS_MSG_SUM_CLIENT] = "上限はボリュームではなく負荷生成側によるものです",
		[VS_MSG_SUM_JOIN] = "{0}。{1}",
		[VS_MSG_SUM_END] = "{0}。",
		[VS_MSG_TIER] = "VPU {0}",
		[VS_MSG_TIER_OTHER] = "ティア {0}",
		[VS_MSG_TIER_RANGE] = "{0} から {1}",
		[VS_MSG_TIER_RANGE_IOPS] = "（{0} から {1} IOPS）",
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
			"記録プロセスが {0} に異常終了しました。最後の区間を除いてすべて含まれています。",
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
		[VS_MSG_NOTE_UNSTEADY] =
			"{0} から {1} までは値のばらつきが {2} % と大きく、水準とはみなせません。",
		[VS_MSG_NOTE_STALLS] =
			"完了した読み取りのない停止が {0} 回ありました。最長は {1}です。",

		[VS_MSG_POWER] =
			"この記録のばらつき（1 サンプルあたり {0} %）では、水準が {1}続けば {2} % の段差を "
			"10 回中 9 回検出できます。",
		[VS_MSG_POWER_SHORT] = "負荷中のサンプルが少なすぎるため、水準を区別できません。",
		[VS_MSG_POWER_NOISY] =
			"短すぎるか、ばらつきが大きすぎるため判定できません。1 サンプルあたり {0} % の"
			"ばらつきでは、{2} % の段差の検出に {1}続く水準が 2 つ必要です。",
		[VS_MSG_POWER_SPARSE] =
			"ティアの一覧がないため、無負荷中の水準の判定には 3 回のプローブが必要です。",

		[VS_MSG_TITLE] = "volscale タイムライン",
		[VS_MSG_CONTENTS] = "目次",
		[VS_MSG_SECTION_TIMELINE] = "タイムライン",
		[VS_MSG_SECTION_PLATEAUS] = "水準",
		[VS_MSG_SECTION_STEPS] = "段差",
		[VS_MSG_SECTION_DECAY] = "低下",
		[VS_MSG_SECTION_LATENCY] = "レイテンシ",
		[VS_MSG_SECTION_COST] = "費用",
		[VS_MSG_SECTION_VERDICT] = "判定",
		[VS_MSG_SECTION_METHOD] = "方法",
		[VS_MSG_SECTION_RAW] = "生データ",
		[VS_MSG_EMULATED_BADGE] = "エミュレーション",
		[VS_MSG_PLATFORM] = "プラットフォーム",
		[VS_MSG_VOLUME] = "ボリューム",
		[VS_MSG_WORKLOAD] = "ワークロード",
		[VS_MSG_MEASUREMENT] = "計測",
		[VS_MSG_HOST] = "ホスト",
		[VS_MSG_CPU] = "CPU",
		[VS_MSG_CPUS] = "CPU 数",
		[VS_MSG_MEMORY] = "メモリ",
		[VS_MSG_OS] = "OS",
		[VS_MSG_KERNEL] = "カーネル",
		[VS_MSG_INSTANCE_LIMIT] = "ネットワーク上限",
		[VS_MSG_TARGET] = "対象",
		[VS_MSG_SIZE] = "サイズ",
		[VS_MSG_VOLUMES] = "ボリューム数",
		[VS_MSG_PROVIDER] = "プロバイダー",
		[VS_MSG_LADDER_TOP] = "最上位ティア",
		[VS_MSG_PATTERN] = "パターン",
		[VS_MSG_BLOCK] = "ブロック",
		[VS_MSG_DEPTH] = "深さ",
		[VS_MSG_JOBS] = "ジョブ数",
		[VS_MSG_RATE] = "レート制限",
		[VS_MSG_RUN] = "記録",
		[VS_MSG_STARTED] = "開始",
		[VS_MSG_LOCAL] = "現地時刻",
		[VS_MSG_DURATION] = "記録時間",
		[VS_MSG_INTERVAL] = "間隔",
		[VS_MSG_SAMPLES] = "サンプル数",
		[VS_MSG_END] = "終了",
		[VS_MSG_TOOL] = "ツール",
		[VS_MSG_END_RUNNING] = "記録中",
		[VS_MSG_END_COMPLETED] = "完了",
		[VS_MSG_END_INTERRUPTED] = "中断",
		[VS_MSG_END_FAILED] = "失敗",
		[VS_MSG_END_CRASHED] = "異常終了",
		[VS_MSG_UNKNOWN] = "不明",
		[VS_MSG_COL_INDEX] = "#",
		[VS_MSG_COL_UTC_AT] = "UTC",
		[VS_MSG_P999] = "p99.9",
		[VS_MSG_MAX] = "最大",
		[VS_MSG_COL_PHASE] = "フェーズ",
		[VS_MSG_COL_START] = "開始",
		[VS_MSG_COL_END] = "終了",
		[VS_MSG_COL_UTC] = "開始 (UTC)",
		[VS_MSG_COL_IOPS] = "IOPS",
		[VS_MSG_COL_CI] = "± 95 %",
		[VS_MSG_COL_SPREAD] = "ばらつき",
		[VS_MSG_COL_MBPS] = "MB/s",
		[VS_MSG_COL_VPU] = "VPU 推定",
		[VS_MSG_COL_TIER] = "ティア",
		[VS_MSG_COL_OFF] = "差",
		[VS_MSG_COL_BOUND] = "制約",
		[VS_MSG_COL_CONFIRMED] = "確認",
		[VS_MSG_COL_STEP] = "段差",
		[VS_MSG_COL_AT] = "時刻",
		[VS_MSG_COL_BETWEEN] = "範囲",
		[VS_MSG_COL_FROM] = "前",
		[VS_MSG_COL_TO] = "後",
		[VS_MSG_COL_CHANGE] = "変化",
		[VS_MSG_COL_DWELL] = "経過",
		[VS_MSG_COL_OVERSHOOT] = "行き過ぎ",
		[VS_MSG_COL_LAG] = "通知との差",
		[VS_MSG_COL_SINCE_IDLE] = "無負荷開始から",
		[VS_MSG_COL_SINCE_LAST] = "直前から",
		[VS_MSG_COL_CHECK] = "項目",
		[VS_MSG_COL_FINDING] = "結果",
		[VS_MSG_COL_STATE] = "状態",
		[VS_MSG_UP] = "上昇",
		[VS_MSG_DOWN] = "低下",
		[VS_MSG_LOAD] = "負荷",
		[VS_MSG_IDLE] = "無負荷",
		[VS_MSG_PROBE] = "プローブ",
		[VS_MSG_BOUND_UNKNOWN] = "不明",
		[VS_MSG_BOUND_VOLUME] = "ボリューム",
		[VS_MSG_BOUND_INSTANCE] = "インスタンス",
		[VS_MSG_BOUND_CLIENT] = "クライアント",
		[VS_MSG_YES] = "はい",
		[VS_MSG_NO] = "いいえ",
		[VS_MSG_DRIFTING] = "変動中",
		[VS_MSG_NO_TIER] = "該当ティアなし",
		[VS_MSG_STALL] = "停止",
		[VS_MSG_GAP] = "サンプルなし",
		[VS_MSG_PENDING] = "未確定",
		[VS_MSG_PLATFORM_NONE] = "記録なし",
		[VS_MSG_NO_LATENCY] = "この記録にはレイテンシが含まれていません。",
		[VS_MSG_COL_DURATION] = "長さ",
		[VS_MSG_COL_LOWEST] = "最低 IOPS",
		[VS_MSG_DIPS_INTRO] =
			"水準の途中の短い落ち込みです。水準の値にも段差にも数えません。",
		[VS_MSG_DIPS_MORE] = "ほか {0} 件は JSON レポートにあります。",
		[VS_MSG_NO_PLATEAUS] = "水準は見つかりませんでした。",
		[VS_MSG_NO_STEPS] =
			"段差はありません。水準は変わりませんでした。",
		[VS_MSG_NO_DECAY] =
			"無負荷フェーズがありません。'volscale observe --"
			"decay 75m' で低下を観察できます。",
		[VS_MSG_DECAY_NONE] =
			"無負荷の {0}間、低下はありませんでした。",
		[VS_MSG_DECAY_INTRO] =
			"負荷の終了から {0}後に最初の低下が起き、計 {1} 回、最後は "
			"{2} でした。",
		[VS_MSG_COST_NONE] =
			"価格不明: このプロバイダー・サイズ・ティアの価格が分かりません。-"
			"-price-gb、--price-vpu、--currency で"
			"指定できます。",
		[VS_MSG_COST_NO_TIER] =
			"価格不明: ひとつのティアに定まる水準がないため、価格を計算できません。",
		[VS_MSG_COST_OBSERVED] = "この記録（秒単位課金）",
		[VS_MSG_COST_TOP] = "観測した最上位ティアで 1 か月",
		[VS_MSG_COST_BOTTOM] = "観測した最下位ティアで 1 か月",
		[VS_MSG_COST_BREAK_EVEN] =
			"1 日 {0} 時間を超えて最上位にあるなら、最上位に固定する方が安"
			"くなります。",
		[VS_MSG_COST_PRICED_AT] = "{0} 時点の価格。",
		[VS_MSG_UNPRICED] = "価格不明",
		[VS_MSG_COL_PRICE] = "月額",
		[VS_MSG_COL_TIME_AT] = "滞在時間",
		[VS_MSG_CHECK_TIERS] = "水準とティアの一致",
		[VS_MSG_CHECK_TIERS_OK] = "{0} 個の水準すべてがティアに一致",
		[VS_MSG_CHECK_TIERS_NOT] =
			"{1} 個のうち {0} 個はひとつのティアに定まらない",
		[VS_MSG_CHECK_TIERS_NONE] =
			"プロバイダーかサイズが不明なため判定しない",
		[VS_MSG_CHECK_TOP] = "最高水準",
		[VS_MSG_CHECK_TOP_IS] = "{0}（最上位ティアの約束の {1} %）",
		[VS_MSG_CHECK_TOP_ONLY] = "{0}",
		[VS_MSG_CHECK_BOUND] = "最高水準の制約",
		[VS_MSG_CHECK_DIPS] = "一時的な低下",
		[VS_MSG_CHECK_DIPS_NONE] = "なし",
		[VS_MSG_CHECK_DIPS_SOME] = "{0} 回、最長 {1}、最低 {2} IOPS",
		[VS_MSG_CHECK_DEVICE] = "デバイスの計数",
		[VS_MSG_CHECK_DEVICE_OK] = "ワークロードの計数の {0} %",
		[VS_MSG_CHECK_DEVICE_UNKNOWN] = "不明",
		[VS_MSG_CHECK_COMPLETE] = "記録",
		[VS_MSG_CHECK_COMPLETE_OK] =
			"完全、{0} サンプル、欠落と読み取り失敗なし",
		[VS_MSG_CHECK_COMPLETE_NOT] =
			"欠落 {0} 区間、失敗した読み取り {1} 件",
		[VS_MSG_CHECK_COMPLETE_END] = "最後まで実行されていない",
		[VS_MSG_CHECK_POWER] = "この記録で分かること",
		[VS_MSG_STATE_OK] = "良",
		[VS_MSG_STATE_NOTE] = "注意",
		[VS_MSG_STATE_WARN] = "警告",
		[VS_MSG_VERDICT_NOTE] =
			"期待値（ティア、時間、低下）との照合には 'volscale ver"
			"ify' を使ってください。",
		[VS_MSG_METHOD_SAMPLE] =
			"ワークロードは記録中ずっと維持されます。{0}ごとに、単調時計による"
			"実際の区間長で、完了した読み取りを数えます。完了のない区間は 0 で"
			"す。",
		[VS_MSG_METHOD_PLATEAU] =
			"水準とは、ひとつの値に留まるサンプルの区間です。系列全体を最も少ない"
			"水準で最もよく説明する分割として、外れ値に左右されない方法で求めます"
			"。値はサンプルの中央値で、その 95 % 区間を添えます。1、2 秒"
			"の行き過ぎや落ち込みは独立した水準とはしません。",
		[VS_MSG_METHOD_STEP] =
			"段差は隣り合う水準の間にあります。表は起こり得た最も早い時刻と最も遅"
			"い時刻を示します。無負荷の間は短いプローブでしか見えないため、低下の"
			"時刻の精度はプローブ間隔です。",
		[VS_MSG_METHOD_TIER] =
			"水準が、このサイズとブロックでプロバイダーが約束する値の {0} %"
			" 下から {1} % 上までにあるとき、そのティアとします。複数に当"
			"てはまるときはすべてを挙げて選ばず、当てはまらない水準にはティアを付"
			"けません。",
		[VS_MSG_METHOD_NO_LADDER] =
			"プロバイダーかボリュームのサイズが不明なため、ティアは付けていません"
			"。--provider と --size-gb で指定できます。",
		[VS_MSG_METHOD_BOUND] =
			"「制約」は水準を止めたものです。ティアの約束に達していればボリューム"
			"、ネットワーク上限に近ければインスタンス、指定した深さに達していなけ"
			"ればクライアントです。",
		[VS_MSG_METHOD_CI] =
			"この記録で最も広い水準の 95 % 区間は ± {0} % です。",
		[VS_MSG_RAW_INTRO] =
			"上記すべてのデータです。このファイルに埋め込まれており、通信は行いま"
			"せん。",
		[VS_MSG_RAW_JSON] = "タイムラインを JSON で保存",
		[VS_MSG_RAW_CSV] = "全サンプルを CSV で保存",
		[VS_MSG_RAW_EVENTS] = "イベント",
		[VS_MSG_RAW_MORE] = "ほか {0} 件は JSON レポートにあります。",
		[VS_MSG_COL_KIND] = "種類",
		[VS_MSG_COL_TEXT] = "内容",
		[VS_MSG_CHART_LABEL] =
			"IOPS の推移（水準とティア）と、その下にレイテンシ。数値はすべて"
			"表にあります。",
		[VS_MSG_CHART_HELP] =
			"ドラッグで拡大、Shift+ドラッグで移動、ダブルクリックで全体。キ"
			"ー: + と - で拡大縮小、矢印でカーソル、Shift+矢印で移動"
			"、0 で全体。",
		[VS_MSG_CHART_ZOOM_IN] = "拡大",
		[VS_MSG_CHART_ZOOM_OUT] = "縮小",
		[VS_MSG_CHART_EARLIER] = "前へ",
		[VS_MSG_CHART_LATER] = "後へ",
		[VS_MSG_CHART_ALL] = "全体",
		[VS_MSG_CHART_LOAD] = "負荷フェーズ",
		[VS_MSG_CHART_IDLE] = "無負荷フェーズ",
		[VS_MSG_CHART_STATIC] =
			"この volscale は uPlot なしでビルドされたため、図は"
			"静止画です。",
		[VS_MSG_CHART_P50] = "p50",
		[VS_MSG_CHART_P99] = "p99",
		[VS_MSG_CHART_PLATEAU] = "水準",
		[VS_MSG_CHART_VPU] = "コントロールプレーンの VPU",
		[VS_MSG_CHART_LATENCY] = "レイテンシ ms",
		[VS_MSG_CHART_TIME] = "開始からの時間",
		[VS_MSG_LIBRARY] = "図は uPlot によります。ライセンス:",
	},
};
