/* Files of reports/web and of uPlot, embedded at build time. Length 0: this build has it not. */
#ifndef VS_REPORTS_ASSETS_H
#define VS_REPORTS_ASSETS_H

#include <stddef.h>

extern const unsigned char vs_asset_style[], vs_asset_script[];
extern const unsigned char vs_asset_uplot_js[], vs_asset_uplot_css[], vs_asset_uplot_licence[];
extern const size_t vs_asset_style_len, vs_asset_script_len;
extern const size_t vs_asset_uplot_js_len, vs_asset_uplot_css_len, vs_asset_uplot_licence_len;

#endif
